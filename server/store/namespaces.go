package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// FoundNamespace is a group or personal namespace as one caller meets it.
type FoundNamespace struct {
	FoundGroup
	Counts NamespaceCounts `db:"counts"`
}

// NamespaceCounts are for those who administer the namespace, and cost a query each.
type NamespaceCounts struct {
	Members        int   `json:"members"`         // of the group and those below, each user once
	Billable       int   `json:"billable"`        // those, and the members of all projects, without bots
	Projects       int   `json:"projects"`        // in it and below
	RepositorySize int64 `json:"repository_size"` // of those, in bytes
}

// NamespaceFilter narrows a list of namespaces; zero fields do not, apart from who asks.
type NamespaceFilter struct {
	UserID   int64
	All      bool   // all there are; otherwise the user's own, and the groups that he is a member in or around
	Owned    bool   // only the user's own, and the groups that he owns
	TopLevel bool   // only those without a parent
	Search   string // in full name and full path
}

// below are the namespaces in and below n.
const below = `(select d.id from namespaces d where d.traversal_ids @> array[n.id])`

const selectNamespaces = `
	select n.*, ` + levelInSpace + ` as level, ` + pendingSpace + ` as pending, ` + around + ` as below,
	       jsonb_build_object(
	           'members', (select count(distinct m.user_id) from members m where m.namespace_id in ` + below + `),
	           'billable', (
	               select count(distinct u.id) from members m join users u on u.id = m.user_id and not u.bot
	               where m.namespace_id in ` + below + ` or m.project_id in (select p.id from projects p where p.namespace_id in ` + below + `)),
	           'projects', (select count(*) from projects p where p.namespace_id in ` + below + `),
	           'repository_size', (select coalesce(sum(p.repository_size), 0) from projects p where p.namespace_id in ` + below + `)) as counts
	from namespaces n`

// NamespaceFor finds a group or personal namespace by id or full path, current or former, together with what the user
// may do there. What he may not see is found all the same: that is for the caller to judge.
func (s *Store) NamespaceFor(ctx context.Context, ref string, userID int64) (FoundNamespace, error) {
	condition, args := where(ref, "n", "namespace_id")
	args["user"] = userID
	n, err := one[FoundNamespace](ctx, s, "Namespace", selectNamespaces+` where `+condition, args)
	n.Former = isFormer(ref, n.FullPath)
	return n, err
}

// Namespaces lists groups and personal namespaces, by id.
func (s *Store) Namespaces(ctx context.Context, f NamespaceFilter, p Page) ([]FoundNamespace, int, error) {
	who := ` where ` + mine
	switch {
	case f.Owned:
		who = ` where ` + owns
	case f.All:
		who = ` where true`
	}
	return page[FoundNamespace](ctx, s, p, order{}, "n.id", selectNamespaces+who+`
		and (not @top or n.parent_id is null)
		and (@search = '' or n.full_name ilike @like or n.full_path ilike @like)`,
		pgx.NamedArgs{"user": f.UserID, "top": f.TopLevel, "search": f.Search, "like": infix(f.Search)})
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
