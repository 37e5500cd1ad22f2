package people

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Expiring are access tokens of groups and projects that will be over within so many days and of which nobody has been told
// yet, at most so many of them. They count as told from the commit on: of two who ask at once, one gets a token.
func Expiring(ctx context.Context, s *db.Store, days, most int) ([]Token, error) {
	return db.Many[Token](ctx, s, `
		update personal_access_tokens t set expiry_told = true
		where t.id in (
		    select id from personal_access_tokens
		    where access_level is not null and not revoked and not expiry_told
		      and expires_at > current_date and expires_at <= current_date + @days::int
		    order by expires_at, id limit @most
		    for update skip locked)
		returning t.*`, pgx.NamedArgs{"days": days, "most": most})
}
