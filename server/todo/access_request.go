package todo

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// addRequest makes a to-do for each of those who decide on a request for access to a group or
// project.
func addRequest(ctx context.Context, st *db.Store, in db.Container, by int64) error {
	grants := tree.SpaceGrants + ` m on m.namespace_id = any(n.traversal_ids)`
	of := ` from namespaces n join ` + grants + ` where n.id = @id`
	if in.ProjectID != nil {
		of = tree.ProjectTables + ` join ` + grants + ` where p.id = @id and m.access_level >= @least
			union select m.user_id from ` + tree.ProjectGrants + ` m where m.project_id = @id`
	}
	users, err := db.Values[int64](ctx, st, `
		select u.id from users u where u.state = 'active' and not u.bot and u.id in (
			select m.user_id`+of+` and m.access_level >= @least)`+limitReceivers,
		pgx.NamedArgs{"id": in.ID(), "least": deciders(in)})
	if err != nil || len(users) == 0 {
		return err
	}
	return insert(ctx, st, users, pgx.NamedArgs{
		"author": by, "namespace": in.NamespaceID, "project": in.ProjectID, "action": AccessRequested, "issue": nil,
		"epic": nil, "request": nil, "commit": nil, "note": nil,
	})
}

// finishRequest marks the to-dos about the request of a user as done.
func finishRequest(ctx context.Context, st *db.Store, in db.Container, by int64) error {
	w := db.NewWhere(nil)
	in.Within(w, "d")
	w.And(`d.author_id = @author`, by)
	w.And(`d.action = 'member_access_requested' and d.state = 'pending'`)
	return st.Exec(ctx, `update todos d set state = 'done', updated_at = now()`+w.String(), w.Args)
}
