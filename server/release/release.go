package release

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
)

// Release is a row of releases (more-2 §8.2).
type Release struct {
	ID           int64        `db:"id,auto"`
	ProjectID    int64        `db:"project_id"`
	Tag          string       `db:"tag"`  // without refs/tags/; there may be no such tag any more
	Name         *string      `db:"name"` // nil: it is called like the tag
	Description  *string      `db:"description"`
	AuthorID     *int64       `db:"author_id"`
	Author       *tree.Person `db:"author,auto"` // nil: the user is deleted
	ReleasedAt   time.Time    `db:"released_at"` // can be in the future
	CreatedAt    time.Time    `db:"created_at,auto"`
	UpdatedAt    time.Time    `db:"updated_at,auto"`
	Links        []Link       `db:"links,auto"`         // newest first
	MilestoneIDs []int64      `db:"milestone_ids,auto"` // in their order
}

// Title returns the name, or the tag where there is none.
func (r Release) Title() string {
	if r.Name != nil {
		return *r.Name
	}
	return r.Tag
}

// Upcoming reports whether the release is not out yet.
func (r Release) Upcoming() bool { return r.ReleasedAt.After(time.Now()) }

var selectReleases = `
	select t.*, ` + tree.PersonColumn("t.author_id") + ` as author,
	       coalesce((select jsonb_agg(l order by l.id desc) from (
	           select l.id, l.name, l.url, l.filepath, l.link_type
	           from release_links l where l.release_id = t.id) l), '[]') as links,
	       array(select m.milestone_id from release_milestones m where m.release_id = t.id
	           order by m.milestone_id) as milestone_ids
	from releases t`

// releaseOrders are the orders of a list.
var releaseOrders = db.Order{"released_at": "t.released_at", "created_at": "t.created_at"}

// Releases returns the releases of a project. Lists have the orders released_at and created_at.
func Releases(s *db.Store, projectID int64) db.Held[Release] {
	h := db.NewHeld[Release](s, db.Container{ProjectID: &projectID}, "releases")
	h.Select, h.Orders = selectReleases, releaseOrders
	return h
}

// WithTag returns the condition of the release of a tag.
func WithTag(tag string) db.Condition { return func(w *db.Where) { w.And(`t.tag = @tag`, tag) } }

// Updated returns the condition of releases that were changed at a time between two, ends included.
// A time that is nil is no limit.
func Updated(after, before *time.Time) db.Condition {
	return func(w *db.Where) {
		w.AndIf(after != nil, `t.updated_at >= @updated_after`, after)
		w.AndIf(before != nil, `t.updated_at <= @updated_before`, before)
	}
}

// Latest returns the release that came out last, or will, or a not-found fault.
func Latest(ctx context.Context, s *db.Store, projectID int64) (Release, error) {
	w := db.NewWhere(nil)
	w.And(`t.project_id = @project`, projectID)
	return db.One[Release](ctx, s, "",
		selectReleases+w.String()+` order by t.released_at desc, t.id desc limit 1`, w.Args)
}

// Viewer is who reads the releases of a group.
type Viewer struct {
	UserID int64         // 0: nobody
	Open   db.Visibility // sees projects that are at least so visible without being a member
	All    bool          // sees what only members may see
}

// InGroup returns a page of the releases of the projects that are directly in a group, as far as
// the viewer sees these and they show their releases. The order is that of released_at.
func InGroup(ctx context.Context, s *db.Store, group int64, v Viewer, p db.Page) ([]Release, int, error) {
	w := db.NewWhere(nil)
	w.Args["user"] = v.UserID
	access := `coalesce(p.settings ->> 'releases_access_level', '` + string(policy.Enabled) + `')`
	member := tree.Holds(db.Guest)
	w.And(`p.namespace_id = @group`, group)
	w.And(access + ` <> '` + string(policy.Disabled) + `'`)
	w.AndIf(!v.All, `p.visibility >= @open and `+access+` = '`+string(policy.Enabled)+`' or `+member, v.Open)
	p.Order = "released_at"
	sql := selectReleases + ` join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id`
	return db.List[Release](ctx, s, p, releaseOrders, "t.id", sql, w)
}

// ProjectsOf returns the projects of releases, each once.
func ProjectsOf(ctx context.Context, s *db.Store, list []Release) ([]tree.Project, error) {
	ids := make([]int64, len(list))
	for i, r := range list {
		ids[i] = r.ProjectID
	}
	return db.Many[tree.Project](ctx, s, tree.SelectProjects+` where p.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
}
