package snippet

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
	"hew/server/work"
)

// Everybody sees a public snippet. Users who are not external see an internal one. Its author and
// administrators see every one. In a project, callers must see the snippets of the project as well,
// and members of the project see all of them. The rule is here twice: as a condition of lists, and
// for one snippet. TestVisibility holds both to one table.

// SeenBy reports whether a caller sees the snippet. Of a snippet of a project, the caller has the
// level in the project and sees the snippets of the project.
func (s Snippet) SeenBy(w policy.Who) bool {
	switch {
	case w.Admin, s.Visibility == db.Public, w.ID != 0 && s.IsAuthor(w.ID):
		return true
	case s.ProjectID != nil && w.Level >= policy.Guest:
		return true
	}
	return s.Visibility == db.Internal && w.ID != 0 && !w.External
}

// Filter says which snippets a list has.
type Filter struct {
	Viewer        work.Viewer
	ProjectID     *int64 // of this project; the viewer sees its snippets
	AuthorID      *int64 // by this user
	Personal      bool   // of no project
	Public        bool   // that everybody sees
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

const snippetsAccess = `coalesce(p.settings ->> 'snippets_access_level', 'enabled')`

// Seen returns the condition that the viewer sees the snippet called t of a project p, which is in
// a namespace n. It refers to the arguments of the viewer.
func Seen(v work.Viewer, t string) string {
	inProject := v.SeesFeature(snippetsAccess, policy.Guest)
	if v.All {
		return inProject
	}
	return `(` + inProject + `) and (` + open(t) + ` or ` + tree.Holds(int(policy.Guest)) + `)`
}

// open returns the condition that a snippet called t is shown to the viewer, whatever its project.
func open(t string) string { return t + `.visibility >= @open or ` + t + `.author_id = @user` }

// sees returns the condition that the viewer sees a snippet t of a project p, if any, of a
// namespace n. It refers to the arguments of the viewer.
func sees(v work.Viewer) string {
	personal := open("t")
	if v.All {
		personal = `true`
	}
	return `case when t.project_id is null then ` + personal + ` else ` + Seen(v, "t") + ` end`
}

// where returns the conditions of the filter.
func (f Filter) where() *db.Where {
	w := db.NewWhere(f.Viewer.Args())
	w.AndIf(f.ProjectID != nil, `t.project_id = @project`, f.ProjectID)
	w.AndIf(f.AuthorID != nil, `t.author_id = @author`, f.AuthorID)
	w.AndIf(f.Personal, `t.user_id is not null`)
	w.AndIf(f.Public, `t.visibility = 20`)
	w.AndIf(f.CreatedAfter != nil, `t.created_at >= @created_after`, f.CreatedAfter)
	w.AndIf(f.CreatedBefore != nil, `t.created_at <= @created_before`, f.CreatedBefore)
	w.And(sees(f.Viewer))
	return w
}

const chooseSnippets = `
	select t.id from snippets t left join projects p on p.id = t.project_id left join namespaces n on n.id = p.namespace_id`

// List returns a page of the snippets that the filter admits, newest first, and their capped count.
func List(ctx context.Context, s *db.Store, f Filter, p db.Page) ([]Snippet, int, error) {
	p.Desc = true
	return db.ListChosen[Snippet](ctx, s, p, nil, "t.id", chooseSnippets, selectSnippets, f.where())
}
