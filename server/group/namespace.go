package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// NamespaceFilter narrows a list of namespaces. Zero fields narrow nothing, apart from UserID.
type NamespaceFilter struct {
	UserID   int64
	All      bool   // all; otherwise the user's own and the groups that the user is a member in or around
	Owned    bool   // only the user's own and the groups that the user owns
	TopLevel bool   // only those without a parent
	Search   string // in full name and full path
}

// Namespaces lists groups and personal namespaces, by id.
func Namespaces(ctx context.Context, s *db.Store, f NamespaceFilter, p db.Page) ([]tree.FoundGroup, int, error) {
	w := db.NewWhere(pgx.NamedArgs{"user": f.UserID})
	switch {
	case f.Owned:
		w.AndScattered(tree.OwnNamespaces)
	case !f.All:
		w.AndScattered(tree.MyNamespaces)
	}
	if f.Search != "" {
		w.Selective = "namespaces"
	}
	w.AndIf(f.TopLevel, `n.parent_id is null`)
	w.AndIf(f.Search != "", `n.full_name ilike @like or n.full_path ilike @like`, tree.Infix(f.Search))
	return db.List[tree.FoundGroup](ctx, s, p, db.Order{}, "n.id", tree.SelectFound, w)
}

// NamespaceCounts are counts of a namespace and all below it.
type NamespaceCounts struct {
	ID             int64 `db:"id"`
	Members        int   `db:"members"`  // of groups, each user once
	Billable       int   `db:"billable"` // those who take a seat
	Projects       int   `db:"projects"`
	RepositorySize int64 `db:"repository_size"` // bytes
}

// CountInNamespaces returns the counts of namespaces by id, in one query.
func CountInNamespaces(ctx context.Context, s *db.Store, ids []int64) (map[int64]NamespaceCounts, error) {
	const spaces = `select d.id from namespaces d where d.traversal_ids @> array[n.id]`
	list, err := db.Many[NamespaceCounts](ctx, s, `
		select n.id, p.projects, p.repository_size, m.members, b.billable
		from namespaces n,
		     lateral (select count(*) as projects, coalesce(sum(repository_size), 0)::bigint as repository_size
		              from projects where namespace_id in (`+spaces+`)) p,
		     lateral (select count(distinct user_id) as members from members where namespace_id in (`+spaces+`)) m,
		     lateral (select count(distinct u.id) as billable
		              from (`+seats("n.id")+`) s join users u on u.id = s.user_id where `+takesSeat+`) b
		where n.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	counts := make(map[int64]NamespaceCounts, len(list))
	for _, c := range list {
		counts[c.ID] = c
	}
	return counts, err
}

// PathTaken reports whether a group, user or project has the full path now, and if so returns the
// first number that makes a free path when appended (0: none up to 1000).
func PathTaken(ctx context.Context, s *db.Store, path string) (taken bool, next int, err error) {
	args := pgx.NamedArgs{"path": path}
	taken, err = db.Value[bool](ctx, s, `select exists (select from routes where key = lower(@path)
		and not former)`, args)
	if err != nil || !taken {
		return taken, 0, err
	}
	next, err = db.Value[int](ctx, s, `
		select coalesce(min(i), 0) from generate_series(1, 1000) i
		where not exists (select from routes where key = lower(@path) || i and not former)`, args)
	return taken, next, err
}
