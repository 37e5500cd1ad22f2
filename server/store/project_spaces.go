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
	return page[ListedGroup](ctx, s, at, order{"path": "n.full_path"}, "n.id", `
		select n.*, null::jsonb as statistics from namespaces n
		where n.id = any(@ids) and n.kind = 'group' and (@skip::bigint[] is null or n.id <> all(@skip))
		  and (@search = '' or n.full_name ilike @like or n.full_path ilike @like)`,
		pgx.NamedArgs{"ids": p.NamespaceIDs, "skip": skip, "search": search, "like": infix(search)})
}
