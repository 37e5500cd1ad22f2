package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Who and what hooks are told of, when something ends.

// ProjectOwners are the people who own a project, directly or from above.
func (s *Store) ProjectOwners(ctx context.Context, p Project) ([]User, error) {
	return many[User](ctx, s, selectUsers+`
		where not u.bot and exists (
		    select from members m
		    where m.user_id = u.id and (m.project_id = @project or m.namespace_id = any(@namespaces::bigint[])) and `+asOwner+` and `+live+`)
		order by u.id`, pgx.NamedArgs{"project": p.ID, "namespaces": p.NamespaceIDs})
}

// GroupMemberships are the direct memberships that a user has of groups.
func (s *Store) GroupMemberships(ctx context.Context, userID int64) ([]Member, error) {
	return many[Member](ctx, s, `
		select `+memberColumns+` from members m`+memberUsers+`
		join namespaces n on n.id = m.namespace_id and n.kind = 'group'
		where m.user_id = @user order by m.id`, pgx.NamedArgs{"user": userID})
}

// GroupsBelow are the groups below one, the deepest first.
func (s *Store) GroupsBelow(ctx context.Context, id int64) ([]Group, error) {
	return many[Group](ctx, s, `
		select n.* from namespaces n where n.traversal_ids @> array[@id::bigint] and n.id <> @id
		order by cardinality(n.traversal_ids) desc, n.id`, pgx.NamedArgs{"id": id})
}

// ProjectsBelow are the projects of a group and of all below it.
func (s *Store) ProjectsBelow(ctx context.Context, id int64) ([]Project, error) {
	return many[Project](ctx, s, selectProjects+` where n.traversal_ids @> array[@id::bigint] order by p.id`, pgx.NamedArgs{"id": id})
}
