package hook

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Who and what hooks are told of, when something ends.

// ProjectOwners are the people who own a project, directly or from above.
func ProjectOwners(ctx context.Context, s *db.Store, p tree.Project) ([]tree.User, error) {
	return db.Many[tree.User](ctx, s, tree.SelectUsers+`
		where not u.bot and exists (
		    select from members m
		    where m.user_id = u.id and (m.project_id = @project or m.namespace_id = any(@namespaces::bigint[])) and `+db.AsOwner+` and `+tree.Live+`)
		order by u.id`, pgx.NamedArgs{"project": p.ID, "namespaces": p.NamespaceIDs})
}

// GroupsBelow are the groups below one, the deepest first.
func GroupsBelow(ctx context.Context, s *db.Store, id int64) ([]tree.Group, error) {
	return db.Many[tree.Group](ctx, s, `
		select n.* from namespaces n where n.traversal_ids @> array[@id::bigint] and n.id <> @id
		order by cardinality(n.traversal_ids) desc, n.id`, pgx.NamedArgs{"id": id})
}

// ProjectsBelow are the projects of a group and of all below it.
func ProjectsBelow(ctx context.Context, s *db.Store, id int64) ([]tree.Project, error) {
	return db.Many[tree.Project](ctx, s, tree.SelectProjects+` where n.traversal_ids @> array[@id::bigint] order by p.id`, pgx.NamedArgs{"id": id})
}
