package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// CountProjects counts the projects directly in a namespace.
func (s *Store) CountProjects(ctx context.Context, namespaceID int64) (int, error) {
	return value[int](ctx, s, `select count(*) from projects where namespace_id = @namespace`, pgx.NamedArgs{"namespace": namespaceID})
}

// GroupsAbove lists the groups that a project is in, by their paths: those with the search term in full name or path, and
// without those to skip.
func (s *Store) GroupsAbove(ctx context.Context, p Project, search string, skip []int64, at Page) ([]ListedGroup, int, error) {
	at.Order = "path"
	w := among(pgx.NamedArgs{"like": infix(search)})
	w.and(true, `n.kind = 'group' and n.id = any(@ids)`, p.NamespaceIDs)
	w.and(len(skip) > 0, `n.id <> all(@skip)`, skip)
	w.and(search != "", `n.full_name ilike @like or n.full_path ilike @like`)
	return page[ListedGroup](ctx, s, at, order{"path": "n.full_path"}, "n.id", GroupFilter{}.query(), w)
}
