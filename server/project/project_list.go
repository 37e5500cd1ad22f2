package project

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// ProjectFilter narrows a list of projects. Zero fields narrow nothing, apart from UserID.
type ProjectFilter struct {
	UserID      int64         // the viewer; 0: nobody
	Open        db.Visibility // list projects that are at least this visible besides those the user is a member of
	MinLevel    int           // at least Guest: only where the user has this level, inherited or not; Open is ignored
	NamespaceID int64         // in this namespace; see Deep
	Deep        bool          // and in those below it
	GuestID     int64         // that this group is invited into; with a NamespaceID: either
	StarredBy   int64
	ForkOf      int64   // forked from this project
	IDs         []int64 // these projects

	Archived         *bool
	Visibility       *db.Visibility
	Search           string // in name, path and description
	SearchNamespaces bool   // and in the names and paths above
	WithIssues       bool   // the feature is on
	WithRequests     bool
	Topics           []string // all of them
	TopicID          int64
	Storage          string
	Attributes       map[string]string
	MarkedOn         *db.Date
	Active           *bool // neither archived nor marked for deletion
	None             bool  // nothing that exists can match

	IDAfter, IDBefore           int64
	ActiveAfter, ActiveBefore   *time.Time
	UpdatedAfter, UpdatedBefore *time.Time
}

// projectOrders: similarity is the share of the path, or else of the name, that matches the search.
var projectOrders = db.Order{
	"id": "p.id", "name": "lower(p.name)", "path": "lower(p.path)", "created_at": "p.created_at",
	"updated_at":       "p.updated_at",
	"last_activity_at": "p.last_activity_at", "star_count": "p.star_count",
	"similarity": `case when p.path ilike @like then 1.0 / length(p.path)
		when p.name ilike @like then 0.5 / length(p.name) else 0 end`,
	"repository_size": "p.repository_size", "wiki_size": "p.wiki_size", "packages_size": "p.packages_size",
	"storage_size": `p.repository_size + p.wiki_size + p.packages_size + p.job_artifacts_size + p.uploads_size +
		p.snippets_size`,
}

func (f ProjectFilter) where() *db.Where {
	w := db.NewWhere(pgx.NamedArgs{"user": f.UserID, "like": tree.Infix(f.Search)})
	switch {
	case f.MinLevel > 0 && f.NamespaceID == 0:
		w.AndScattered(tree.ProjectsWith(f.MinLevel))
	case f.MinLevel > 0:
		w.And(tree.Holds(f.MinLevel))
	case f.Open > db.Private:
		w.And(`p.visibility >= @open or `+tree.Holds(db.Guest), f.Open)
	}
	if f.Search != "" {
		w.Selective = "projects"
	}
	w.AndIf(f.NamespaceID != 0 || f.GuestID != 0, f.within())
	w.Args["namespace"], w.Args["guest"] = f.NamespaceID, f.GuestID
	w.AndIf(f.StarredBy != 0, `p.id in (select t.project_id from stars t where t.user_id = @starred_by)`, f.StarredBy)
	w.AndIf(f.ForkOf != 0, `p.forked_from_id = @fork_of`, f.ForkOf)
	w.AndIf(len(f.IDs) > 0, `p.id = any(@ids)`, f.IDs)
	w.AndIf(f.Archived != nil, `p.archived = @archived`, f.Archived)
	w.AndIf(f.Visibility != nil, `p.visibility = @visibility`, f.Visibility)
	w.AndIf(
		f.Search != "" && !f.SearchNamespaces, `p.name ilike @like or p.path ilike @like or p.description ilike @like`,
	)
	w.AndIf(f.Search != "" && f.SearchNamespaces,
		`p.name ilike @like or p.full_path ilike @like or p.description ilike @like or n.full_name ilike @like`)
	w.AndIf(f.WithIssues, `p.settings ->> 'issues_access_level' is distinct from 'disabled'`)
	w.AndIf(f.WithRequests, `p.settings ->> 'merge_requests_access_level' is distinct from 'disabled'`)
	w.AndIf(len(f.Topics) > 0, `p.topics @> @topics::text[]`, f.Topics)
	w.AndIf(f.TopicID != 0, `p.topics @> array[(select o.name from topics o where o.id = @topic_id)]`, f.TopicID)
	w.AndIf(f.Storage != "", `coalesce(p.settings ->> 'repository_storage', 'default') = @storage`, f.Storage)
	w.AndIf(len(f.Attributes) > 0, `p.custom_attributes @> @attributes::jsonb`, f.Attributes)
	w.AndIf(f.MarkedOn != nil, `p.marked_for_deletion_on = @marked_on`, f.MarkedOn)
	w.AndIf(f.Active != nil, `(not p.archived and p.marked_for_deletion_on is null) = @active`, f.Active)
	w.AndIf(f.None, `false`)
	w.AndIf(f.IDAfter != 0, `p.id > @id_after`, f.IDAfter)
	w.AndIf(f.IDBefore != 0, `p.id < @id_before`, f.IDBefore)
	w.AndIf(f.ActiveAfter != nil, `p.last_activity_at > @active_after`, f.ActiveAfter)
	w.AndIf(f.ActiveBefore != nil, `p.last_activity_at < @active_before`, f.ActiveBefore)
	w.AndIf(f.UpdatedAfter != nil, `p.updated_at > @updated_after`, f.UpdatedAfter)
	w.AndIf(f.UpdatedBefore != nil, `p.updated_at < @updated_before`, f.UpdatedBefore)
	return w
}

// within returns the condition that a project p is in the namespace or shared with the guest.
func (f ProjectFilter) within() string {
	in := `p.namespace_id = @namespace`
	invited := `p.id = any(array(select s.project_id from shares s where s.group_id = @guest
		and ` + tree.LastingShare + `))`
	if f.Deep {
		in = `p.namespace_id in (select d.id from namespaces d where d.traversal_ids @> array[@namespace::bigint])`
	}
	switch {
	case f.GuestID == 0:
		return in
	case f.NamespaceID == 0:
		return invited
	}
	return in + ` or ` + invited
}

// Projects lists projects. Orders: id, name, path, created_at, updated_at, last_activity_at,
// star_count, similarity, storage_size, repository_size, wiki_size, packages_size.
func Projects(ctx context.Context, s *db.Store, f ProjectFilter, p db.Page) ([]tree.Project, int, error) {
	return db.List[tree.Project](ctx, s, p, projectOrders, "p.id", tree.SelectProjects, f.where())
}

// ProjectAccess has the levels of one user in a project, by origin; 0: none. In a personal
// namespace the owner's level counts as one of the project.
type ProjectAccess struct {
	ID      int64 `db:"id"`
	Project int   `db:"project_level"`
	Group   int   `db:"group_level"`
}

// AccessOf returns the access of the user for whom a project was found.
func AccessOf(p tree.FoundProject) ProjectAccess {
	a := ProjectAccess{ID: p.ID, Project: p.OwnLevel, Group: p.GroupLevel}
	if p.NamespaceOwnerID != nil {
		a.Project, a.Group = a.Level(), 0
	}
	return a
}

// Level returns the higher level.
func (a ProjectAccess) Level() int { return max(a.Project, a.Group) }

// AccessTo returns the access of a user to projects by project id, in one query.
func AccessTo(
	ctx context.Context, s *db.Store, projects []tree.Project, userID int64,
) (map[int64]ProjectAccess, error) {
	ids := make([]int64, len(projects))
	for i, p := range projects {
		ids[i] = p.ID
	}
	list, err := db.Many[ProjectAccess](ctx, s, `
		select id, case when personal then greatest(direct, inherited) else direct end as project_level,
		       case when personal then 0 else inherited end as group_level
		from (
		    select p.id, n.kind = 'user' as personal,
		      `+tree.LevelInSpace+` as inherited, `+tree.LevelOfProject+` as direct
		    from projects p join namespaces n on n.id = p.namespace_id
		    where p.id = any(@ids)) levels`, pgx.NamedArgs{"user": userID, "ids": ids})
	byID := make(map[int64]ProjectAccess, len(list))
	for _, a := range list {
		byID[a.ID] = a
	}
	return byID, err
}

// CountProjects counts the projects directly in a namespace. Until the commit, other transactions
// that count them wait, so that counting before adding a project keeps a limit.
func CountProjects(ctx context.Context, s *db.Store, namespaceID int64) (int, error) {
	if err := s.Exclusively(ctx, fmt.Sprint("projects in ", namespaceID)); err != nil {
		return 0, err
	}
	return db.Value[int](ctx, s, `select count(*) from projects
		where namespace_id = @namespace`, pgx.NamedArgs{"namespace": namespaceID})
}
