package store

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// AccessToken is one token of a group or project.
func (s *Store) AccessToken(ctx context.Context, c Container, id int64) (Token, error) {
	w := TokenFilter{In: c}.where()
	w.and(true, `t.id = @id`, id)
	t, err := one[Token](ctx, s, "", `select t.* from personal_access_tokens t`+w.String(), w.args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NotFound("Could not find " + c.Kind() + " access token with token_id: " + strconv.FormatInt(id, 10))
	}
	return t, err
}

// BotMember is the membership of the bot that a token of a group or project belongs to.
func (s *Store) BotMember(ctx context.Context, t Token) (Member, error) {
	w := among(nil)
	t.Container.of(w, "m")
	w.and(true, `m.user_id = @user`, t.UserID)
	return one[Member](ctx, s, "", `select `+memberColumns+` from members m`+memberUsers+w.String(), w.args)
}

// RemoveMembersOf removes a user from all groups and projects, and returns what he was there.
func (s *Store) RemoveMembersOf(ctx context.Context, userID int64) ([]Member, error) {
	return many[Member](ctx, s, `
		with changed as (delete from members m where m.user_id = @user and `+elsewhere+` returning *)
		`+changedMember+` order by m.id`, pgx.NamedArgs{"user": userID})
}

// Expiring are access tokens of groups and projects that will be over within so many days and of which nobody has been told
// yet, at most so many of them. They count as told from the commit on: of two who ask at once, one gets a token.
func (s *Store) Expiring(ctx context.Context, days, most int) ([]Token, error) {
	return many[Token](ctx, s, `
		update personal_access_tokens t set expiry_told = true
		where t.id in (
		    select id from personal_access_tokens
		    where access_level is not null and not revoked and not expiry_told
		      and expires_at > current_date and expires_at <= current_date + @days::int
		    order by expires_at, id limit @most
		    for update skip locked)
		returning t.*`, pgx.NamedArgs{"days": days, "most": most})
}

// RemoveIdleBots removes the bots of tokens that have been over for a month, with what is left of these, and tells how many
// they were. So do those whose group or project is gone.
func (s *Store) RemoveIdleBots(ctx context.Context) (int64, error) {
	return s.affected(ctx, `
		delete from users u
		where u.bot and u.updated_at < now() - interval '30 days' and not exists (
		    select from personal_access_tokens t
		    where t.user_id = u.id and not t.revoked and (t.expires_at is null or t.expires_at > current_date - 30))`, nil)
}
