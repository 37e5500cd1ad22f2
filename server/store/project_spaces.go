package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// CountProjects counts the projects directly in a namespace.
func (s *Store) CountProjects(ctx context.Context, namespaceID int64) (int, error) {
	return value[int](ctx, s, `select count(*) from projects where namespace_id = @namespace`, pgx.NamedArgs{"namespace": namespaceID})
}

// AboveFilter narrows a list of groups that a project belongs to; zero fields do not.
type AboveFilter struct {
	Search      string // in full name and path
	Skip        []int64
	Shared      bool // also the groups that are invited into the project, as far as the viewer sees them
	SharedLevel int  // of those only the ones that have this level
	Viewer      Viewer
}

// GroupsAbove lists the groups that a project is in, by their paths.
func (s *Store) GroupsAbove(ctx context.Context, p Project, f AboveFilter, at Page) ([]ListedGroup, int, error) {
	at.Order = "path"
	w := among(pgx.NamedArgs{"viewer": f.Viewer.UserID, "all": f.Viewer.All, "project": p.ID, "level": f.SharedLevel, "above": p.NamespaceIDs})
	w.and(true, `n.kind = 'group'`)
	w.and(!f.Shared, `n.id = any(@above)`)
	w.and(f.Shared, `n.id = any(@above) or n.id in (
		select s.group_id from shares s join namespaces i on i.id = s.group_id
		where s.project_id = @project and s.group_access >= @level and `+lastingShare+` and `+seen+`)`)
	w.and(len(f.Skip) > 0, `n.id <> all(@skip)`, f.Skip)
	w.and(f.Search != "", `n.full_name ilike @like or n.full_path ilike @like`, infix(f.Search))
	return page[ListedGroup](ctx, s, at, order{"path": "n.full_path"}, "n.id", GroupFilter{}.query(), w)
}
