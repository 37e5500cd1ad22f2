package transfer

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/object"
	"hew/server/transfer/archive"
)

const (
	// maxDiffCommits is how many commits of a merge request its document lists, the newest first.
	maxDiffCommits = 1000
	// maxDiffMessage is how many bytes of the message of a commit are in the document.
	maxDiffMessage = 64 << 10
	// maxDiffFiles is how many files of a merge request its document lists.
	maxDiffFiles = 3000
)

// diffs reads from a repository what merge requests change.
type diffs struct {
	g      *code.Git
	limits diff.ListLimits
}

// diffs returns what adds to the document of a merge request the commits and files of its diff, up
// to the limits of what is shown here.
func (w exportWriter) diffs(ctx context.Context) (add func(context.Context, string) (any, error), err error) {
	var d diffs
	if d.g, err = code.Open(ctx, w.Store, w.project); err != nil {
		return nil, err
	}
	if d.limits, err = code.DiffLimits(ctx, w.Store); err != nil {
		return nil, err
	}
	return func(ctx context.Context, text string) (any, error) {
		var m archive.MergeRequest
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.MergeRequestDiff == nil {
			return m, err
		}
		if err := d.read(ctx, m.MergeRequestDiff); err != nil {
			return nil, fmt.Errorf("merge request %d: %w", m.IID, err)
		}
		return m, nil
	}, nil
}

// read adds the commits and files of a diff. A diff whose commits the repository lacks stays as it
// is.
func (d diffs) read(ctx context.Context, of *archive.Diff) error {
	var ids []object.ID
	for _, sha := range []*string{of.BaseCommitSHA, of.StartCommitSHA, of.HeadCommitSHA} {
		if sha == nil {
			return nil
		}
		id, err := object.ParseID(*sha)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	base, start, head := ids[0], ids[1], ids[2]
	found, err := d.g.Commits(ctx, ids)
	if err != nil || len(found) < len(ids) {
		return err
	}
	between, err := d.g.IDsBetween(ctx, start, head, maxDiffCommits)
	if err != nil {
		return err
	}
	commits, err := d.g.Commits(ctx, between)
	if err != nil {
		return err
	}
	for i, c := range commits {
		of.Commits = append(of.Commits, diffCommit(i, c))
	}
	list, err := d.g.DiffList(ctx, base, head, d.limits, diff.Window{Limit: maxDiffFiles})
	if fault.CodeOf(err) == fault.CodeInvalid { // more files differ than are read
		return nil
	}
	for i, f := range list.Files {
		of.Files = append(of.Files, diffFile(i, f))
	}
	return err
}

// diffCommit returns the document of a commit.
func diffCommit(order int, c code.Commit) archive.DiffCommit {
	trailers := map[string]string{}
	for _, t := range object.Trailers(c.Message) {
		trailers[t.Key] = t.Value
	}
	text, _ := json.Marshal(trailers) // never fails
	return archive.DiffCommit{
		RelativeOrder: order, SHA: c.ID.String(), Message: strings.ToValidUTF8(
			c.Message[:min(len(c.Message), maxDiffMessage)], ""),
		Trailers: text, AuthoredDate: new(c.Authored().Truncate(time.Millisecond)),
		CommittedDate: new(c.Committed().Truncate(time.Millisecond)),
		CommitAuthor:  &archive.Identity{Name: c.AuthorName, Email: c.AuthorEmail},
		Committer:     &archive.Identity{Name: c.CommitterName, Email: c.CommitterEmail},
	}
}

// diffFile returns the document of a file. A patch that JSON cannot hold is left out, and paths
// that it cannot hold are in base64.
func diffFile(order int, f diff.Listed) archive.DiffFile {
	d := archive.DiffFile{
		RelativeOrder: order, OldPath: f.OldPath, NewPath: f.NewPath, AMode: modeOf(f.OldMode), BMode: modeOf(f.NewMode),
		NewFile: f.Status == 'A', RenamedFile: f.Status == 'R', DeletedFile: f.Status == 'D', TooLarge: f.TooLarge,
		Binary: &f.Binary,
	}
	if !utf8.ValidString(d.OldPath) || !utf8.ValidString(d.NewPath) {
		d.EncodedFilePath = true
		d.OldPath = base64.StdEncoding.EncodeToString([]byte(d.OldPath))
		d.NewPath = base64.StdEncoding.EncodeToString([]byte(d.NewPath))
	}
	if !f.TooLarge && utf8.ValidString(f.Patch) {
		d.UTF8Diff = &f.Patch
	}
	return d
}

// modeOf returns a mode as diffs show it: "0" for no file.
func modeOf(m object.Mode) string {
	if m == 0 {
		return "0"
	}
	return m.String()
}
