package gist

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/forge/github"
	"hew/server/forge/hostapi"
	"hew/server/forge/rawfile"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/snippet"
)

// The reasons for which gists are skipped (transfer §3.3).
const (
	tooManyFiles = "Snippet maximum file count exceeded"
	tooLarge     = "Snippet repository size exceeded"
	noFiles      = "the gist has no files"
)

const maxTitle = 255 // characters

// maxUnlimited is how many bytes the files of a gist may have together, which are held in memory,
// where the setting has no limit.
const maxUnlimited = 256 << 20

// importGist imports a gist, or notes why it cannot be imported. It returns an error of the host
// for which the whole import waits.
func (r *run) importGist(ctx context.Context, g github.Gist) error {
	source := strings.TrimRight(r.Base, "/") + "/gists/" + g.ID
	known, err := snippet.Imported(ctx, r.st, r.UserID, source)
	if err != nil || known {
		return err
	}
	names := fileNames(g)
	n := snippet.New{By: r.author(), AuthoredAt: g.CreatedAt}
	n.UserID, n.Source, n.ImportedFrom = &r.UserID, &source, snippet.FromGist
	n.Title, n.Visibility = titleOf(g, names), r.visibilityOf(g)
	var files []code.Action
	reason := r.wrong(g, names)
	if reason == "" {
		if files, reason, err = r.readFiles(ctx, g, names); err != nil {
			return r.skipUnreadable(ctx, err, Skipped{ID: clean(g.ID), Title: n.Title})
		}
	}
	if reason == "" {
		n.Files = files
		err = r.st.Tx(ctx, func(st *db.Store) error {
			if err := r.move(ctx, st, `imported = imported + 1`, pgx.NamedArgs{}); err != nil {
				return err
			}
			_, err := snippet.Create(ctx, st, n)
			return asReason(err)
		})
		var refused refusedGist
		if !errors.As(err, &refused) {
			return err
		}
		reason = string(refused)
	}
	skipped := Skipped{ID: clean(g.ID), Title: n.Title, Reason: reason}
	return r.move(ctx, r.st, addSkipped, skipped.args())
}

// skipUnreadable skips a gist if the host of its files has not answered for long. The skip does not
// count as progress: if a host is gone, the import does not wait again for the next gist.
func (r *run) skipUnreadable(ctx context.Context, err error, s Skipped) error {
	var unavailable *hostapi.UnavailableError
	if !errors.As(err, &unavailable) || r.now().Sub(r.MovedAt) < fileTime {
		return err
	}
	s.Reason = unavailable.Error()
	return r.advance(ctx, r.st, addSkipped, s.args())
}

// refusedGist is why a snippet cannot be what a gist is.
type refusedGist string

// Error implements error.
func (r refusedGist) Error() string { return string(r) }

// asReason returns a refusal of a snippet as refusedGist.
func asReason(err error) error {
	f, ok := fault.From(err)
	if !ok || f.Code == fault.CodeNotFound || f.Code == fault.CodeInternal || f.Code == fault.CodeUnavailable {
		return err
	}
	return refusedGist(cmp.Or(f.What, f.Error()))
}

// author returns the user as who makes the snippets.
func (r *run) author() code.Author {
	who := policy.Who{ID: r.user.ID, Admin: r.user.Admin, External: r.user.External}
	return code.Author{Pusher: protect.Pusher{Who: who}, User: r.user, Web: true}
}

// visibilityOf returns how visible the snippet becomes: what is reserved for administrators becomes
// private.
func (r *run) visibilityOf(g github.Gist) db.Visibility {
	reserved := slices.Contains(r.settings.RestrictedVisibilities, db.Public.String()) && !r.user.Admin
	if g.Public && !reserved {
		return db.Public
	}
	return db.Private
}

// fileNames returns the names of the files of a gist, in order.
func fileNames(g github.Gist) (names []string) {
	for name := range g.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// titleOf returns the title of a gist: its description or the name of its first file.
func titleOf(g github.Gist, names []string) string {
	title := strings.TrimSpace(clean(g.Description))
	if title == "" && len(names) > 0 {
		title = strings.TrimSpace(clean(names[0]))
	}
	runes := []rune(cmp.Or(title, clean(g.ID), "Gist"))
	return string(runes[:min(len(runes), maxTitle)])
}

// clean returns a text of another host as a row can have it.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// wrong returns why a gist cannot be a snippet, as far as its entry in the list shows; "" if it
// can.
func (r *run) wrong(g github.Gist, names []string) string {
	size := int64(0)
	for _, f := range g.Files {
		size += max(f.Size, 0)
	}
	switch {
	case g.ID == "":
		return "the gist has no id"
	case len(names) == 0:
		return noFiles
	case len(names) > snippet.MaxFiles || g.Truncated:
		return tooManyFiles
	case size > r.sizeLimit():
		return tooLarge
	}
	for _, name := range names {
		if wrong := snippet.WrongPath(name); wrong != "" {
			return "the file " + clean(name) + " " + wrong
		}
	}
	return ""
}

// sizeLimit returns how many bytes the files of a gist may have together.
func (r *run) sizeLimit() int64 { return cmp.Or(r.settings.SnippetSizeLimit, maxUnlimited) }

// readFiles reads the files of a gist. A reason says why they cannot be read; an error is one for
// which the import waits.
func (r *run) readFiles(
	ctx context.Context, g github.Gist, names []string,
) (files []code.Action, reason string, err error) {
	step, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	left := r.sizeLimit()
	for _, name := range names {
		data, err := r.files.Read(step, g.Files[name].RawURL, left)
		problem := "the file " + clean(name) + " cannot be read: "
		var refused *hostapi.StatusError
		var unavailable *hostapi.UnavailableError
		switch {
		case ctx.Err() != nil:
			return nil, "", ctx.Err()
		case errors.Is(err, rawfile.ErrTooLarge):
			return nil, tooLarge, nil
		case errors.As(err, &refused):
			return nil, problem + refused.Error(), nil
		case step.Err() != nil:
			return nil, "", &hostapi.UnavailableError{Reason: fmt.Sprintf("%sit took longer than %v", problem, stepTime)}
		case errors.As(err, &unavailable):
			return nil, "", &hostapi.UnavailableError{Status: unavailable.Status, Reason: problem + unavailable.Reason}
		case err != nil: // of the rate limit
			return nil, "", err
		}
		left -= int64(len(data))
		text := base64.StdEncoding.EncodeToString(data)
		files = append(files, code.Action{Do: "create", Path: name, Content: &text, Encoding: "base64"})
	}
	return files, "", nil
}
