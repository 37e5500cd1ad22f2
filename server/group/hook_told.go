package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// groupMemberships are the direct memberships that a user has of groups.
func groupMemberships(ctx context.Context, s *db.Store, userID int64) ([]Member, error) {
	return db.Many[Member](ctx, s, `
		select `+memberColumns+` from members m`+memberUsers+`
		join namespaces n on n.id = m.namespace_id and n.kind = 'group'
		where m.user_id = @user order by m.id`, pgx.NamedArgs{"user": userID})
}
