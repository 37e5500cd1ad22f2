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

// RemoveIdleBots removes the bots of tokens that have been over for a month, with what is left of these, and tells how many
// they were. So do those whose group or project is gone.
func (s *Store) RemoveIdleBots(ctx context.Context) (int64, error) {
	return s.affected(ctx, `
		delete from users u
		where u.bot and u.updated_at < now() - interval '30 days' and not exists (
		    select from personal_access_tokens t
		    where t.user_id = u.id and not t.revoked and (t.expires_at is null or t.expires_at > current_date - 30))`, nil)
}
