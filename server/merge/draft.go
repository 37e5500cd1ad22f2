package merge

import (
	"context"
	"regexp"
	"unicode/utf8"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/tree"
)

// draftTitle matches the beginning of the title of a draft (more §6.2).
var draftTitle = regexp.MustCompile(`(?i)^\s*(?:\[draft\]|\(draft\)|draft:)\s*`)

// IsDraft reports whether a title says that a merge request is a draft.
func IsDraft(title string) bool { return draftTitle.MatchString(title) }

// ReadyTitle returns a title without the marks of a draft.
func ReadyTitle(title string) string {
	for draftTitle.MatchString(title) {
		title = draftTitle.ReplaceAllString(title, "")
	}
	return title
}

// DraftTitle returns a title with the mark of a draft.
func DraftTitle(title string) string {
	if IsDraft(title) {
		return title
	}
	return "Draft: " + title
}

// draftCommit matches the title of a commit that is not to be merged as it is (more §6.2).
var draftCommit = regexp.MustCompile(`^(?:fixup|squash)! `)

// maxTitled is how many commits of a push are looked at for the titles of drafts.
const maxTitled = 100

// draftBy makes an open merge request a draft if a commit says so that its last version has and the
// one before had not, and returns that commit. It changes nothing if there is none, if it is a
// draft already, or if the title has no room for the mark.
func (r *Request) draftBy(
	ctx context.Context, st *db.Store, target tree.Project, before Request,
) (by object.ID, err error) {
	title := DraftTitle(r.Title)
	if r.Draft || utf8.RuneCountInString(title) > 255 {
		return by, nil
	}
	g, err := code.Open(ctx, st, target)
	if err != nil {
		return by, err
	}
	commits, err := g.Log(ctx, code.LogFilter{
		From: []object.ID{r.Head}, Not: []object.ID{before.Head, r.Start}, Limit: maxTitled,
	})
	for _, c := range commits {
		if IsDraft(c.Title()) || draftCommit.MatchString(c.Title()) {
			r.Title, r.Draft = title, true
			return c.ID, err
		}
	}
	return by, err
}
