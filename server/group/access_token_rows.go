package group

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
)

// AccessToken is one token of a group or project.
func AccessToken(ctx context.Context, s *db.Store, c db.Container, id int64) (people.Token, error) {
	w := people.TokenFilter{In: c}.Where()
	w.And(true, `t.id = @id`, id)
	t, err := db.One[people.Token](ctx, s, "", `select t.* from personal_access_tokens t`+w.String(), w.Args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NotFound("Could not find " + c.Kind() + " access token with token_id: " + strconv.FormatInt(id, 10))
	}
	return t, err
}

// BotMember is the membership of the bot that a token of a group or project belongs to.
func BotMember(ctx context.Context, s *db.Store, t people.Token) (Member, error) {
	w := db.NewWhere(nil)
	t.Container.Of(w, "m")
	w.And(true, `m.user_id = @user`, t.UserID)
	return db.One[Member](ctx, s, "", `select `+memberColumns+` from members m`+memberUsers+w.String(), w.Args)
}

// RemoveMembersOf removes a user from all groups and projects, and returns what he was there.
func RemoveMembersOf(ctx context.Context, s *db.Store, userID int64) ([]Member, error) {
	return db.Many[Member](ctx, s, `
		with changed as (delete from members m where m.user_id = @user and `+elsewhere+` returning *)
		`+changedMember+` order by m.id`, pgx.NamedArgs{"user": userID})
}

// RemoveIdleBots removes the bots of tokens that have been over for a month, with what is left of these, and tells how many
// they were. So do those whose group or project is gone.
func RemoveIdleBots(ctx context.Context, s *db.Store) (int64, error) {
	return s.Affected(ctx, `
		delete from users u
		where u.bot and u.updated_at < now() - interval '30 days' and not exists (
		    select from personal_access_tokens t
		    where t.user_id = u.id and not t.revoked and (t.expires_at is null or t.expires_at > current_date - 30))`, nil)
}
