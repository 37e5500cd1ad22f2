package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// NamespaceFilter narrows a list of namespaces; zero fields do not, apart from who asks.
type NamespaceFilter struct {
	UserID   int64
	All      bool   // all there are; otherwise the user's own, and the groups that he is a member in or around
	Owned    bool   // only the user's own, and the groups that he owns
	TopLevel bool   // only those without a parent
	Search   string // in full name and full path
}

// Namespaces lists groups and personal namespaces, by id.
func (s *Store) Namespaces(ctx context.Context, f NamespaceFilter, p Page) ([]FoundGroup, int, error) {
	w := among(pgx.NamedArgs{"user": f.UserID})
	w.and(f.Owned, owns)
	w.and(!f.Owned && !f.All, mine)
	w.scattered = f.Owned || !f.All
	w.and(f.TopLevel, `n.parent_id is null`)
	w.and(f.Search != "", `n.full_name ilike @like or n.full_path ilike @like`, infix(f.Search))
	return page[FoundGroup](ctx, s, p, order{}, "n.id", selectFound, w)
}

// NamespaceCounts are of a namespace and all below it.
type NamespaceCounts struct {
	ID             int64 `db:"id"`
	Members        int   `db:"members"`  // of groups, each user once
	Billable       int   `db:"billable"` // those who take a seat
	Projects       int   `db:"projects"`
	RepositorySize int64 `db:"repository_size"` // bytes
}

// NamespaceCounts counts what is in each of the namespaces, by id: one query, for a whole page.
func (s *Store) NamespaceCounts(ctx context.Context, ids []int64) (map[int64]NamespaceCounts, error) {
	const spaces = `select d.id from namespaces d where d.traversal_ids @> array[n.id]`
	list, err := many[NamespaceCounts](ctx, s, `
		select n.id, p.projects, p.repository_size, m.members, b.billable
		from namespaces n,
		     lateral (select count(*) as projects, coalesce(sum(repository_size), 0)::bigint as repository_size
		              from projects where namespace_id in (`+spaces+`)) p,
		     lateral (select count(distinct user_id) as members from members where namespace_id in (`+spaces+`)) m,
		     lateral (select count(distinct u.id) as billable
		              from (`+seats("n.id")+`) s join users u on u.id = s.user_id where `+seated+`) b
		where n.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	counts := make(map[int64]NamespaceCounts, len(list))
	for _, c := range list {
		counts[c.ID] = c
	}
	return counts, err
}

// PathTaken says whether a group, user or project has the full path now, and if so, the first number that makes it free
// when it is put behind the path.
func (s *Store) PathTaken(ctx context.Context, path string) (taken bool, next int, err error) {
	args := pgx.NamedArgs{"path": path}
	taken, err = value[bool](ctx, s, `select exists (select from routes where key = lower(@path) and not former)`, args)
	if err != nil || !taken {
		return taken, 0, err
	}
	next, err = value[int](ctx, s, `
		select coalesce(min(i), 0) from generate_series(1, 1000) i
		where not exists (select from routes where key = lower(@path) || i and not former)`, args)
	return taken, next, err
}
