package merge

import (
	"context"
	"fmt"
	"html"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/note"
)

// maxNoted limits the commits that a system note lists.
const maxNoted = 100

// noteCommits notes down which commits the source branch has got. Those that the target branch has
// as well are counted in one line.
func (f follower) noteCommits(ctx context.Context) error {
	if f.by == 0 {
		return nil
	}
	pushed, total, err := f.g.Between(ctx, f.before.Head, f.r.Head, db.Page{Limit: maxNoted})
	if err != nil || total == 0 {
		return err
	}
	fresh, merged, err := f.split(ctx, pushed)
	if err != nil {
		return err
	}
	var items strings.Builder
	if n := len(merged); n > 0 {
		fmt.Fprintf(&items, "<li>%s - %s from branch <code>%s</code></li>",
			commitSpan(merged[n-1].ID, merged[0].ID, n), countOf(n), html.EscapeString(f.r.TargetBranch))
	}
	for n := len(fresh) - 1; n >= 0; n-- {
		fmt.Fprintf(&items, "<li>%s - %s</li>", fresh[n].ID.Short(8), html.EscapeString(fresh[n].Title()))
	}
	text := fmt.Sprintf("added %s\n\n<ul>%s</ul>\n\n[Compare with previous version](%s)", countOf(total), &items, f.url())
	return note.AddSystem(ctx, f.st, f.r.Target(), f.by, text)
}

// split returns those of the commits that the target branch lacks, and those that it has.
func (f follower) split(ctx context.Context, pushed []code.Commit) (fresh, merged []code.Commit, err error) {
	for _, c := range pushed {
		known, err := f.g.IsAncestor(ctx, c.ID, f.r.Start)
		switch {
		case err != nil:
			return nil, nil, err
		case known:
			merged = append(merged, c)
		default:
			fresh = append(fresh, c)
		}
	}
	return fresh, merged, nil
}

// commitSpan names n commits by the first and the last of them.
func commitSpan(first, last object.ID, n int) string {
	if n == 1 {
		return first.Short(8)
	}
	return first.Short(8) + "..." + last.Short(8)
}

func countOf(n int) string {
	switch {
	case n == 1:
		return "1 commit"
	case n > code.MaxCounted:
		return fmt.Sprintf("more than %d commits", code.MaxCounted)
	}
	return fmt.Sprintf("%d commits", n)
}
