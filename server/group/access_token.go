package group

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// Holder is a group or project that holds access tokens, and the user who acts on them. What the
// user may do depends on the levels of both user and token, which no guard knows.
type Holder struct {
	db.Container
	By policy.Who
}

// CreateAccessToken creates a token of a group or project from name, description, scopes, level and
// expiry of t (gaps §2.2), and with it a bot: a user who is a member with that level as long as the
// token is valid.
func CreateAccessToken(
	ctx context.Context, st *db.Store, h Holder, by tree.User, t people.Token,
) (fresh people.IssuedToken, err error) {
	if h, err = h.hold(ctx, st); err != nil {
		return fresh, err
	}
	level := *t.AccessLevel
	switch {
	case by.Bot: // or a leaked token could outlive its revocation
		return fresh, fault.BadRequest("User does not have permission to create " + h.Kind() + " access token")
	case !policy.MayGrant(h.By, policy.Level(level)):
		return fresh, fault.BadRequest(
			"Access level of the token can't be greater the access level of the user who created the token",
		)
	}
	if err := people.CheckToken(t); err != nil { // before there is a bot
		return fresh, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		bot, err := tree.CreateUser(ctx, st, newBot(h.Container, t.Name, by))
		if err != nil {
			return err
		}
		if err := event.Emit(ctx, st, people.Created{User: bot}); err != nil {
			return err
		}
		t.Container = h.Container
		if fresh, err = people.CreateToken(ctx, st, bot, t); err != nil {
			return err
		}
		m, err := AddMember(ctx, st, Member{
			UserID: bot.ID, NamespaceID: h.NamespaceID, ProjectID: h.ProjectID, AccessLevel: level,
			ExpiresAt: fresh.ExpiresAt, CreatedByID: &by.ID,
		})
		if err != nil {
			return err
		}
		return emitMembersChanged(ctx, st, MemberAdded, m)
	})
	return fresh, err
}

// newBot returns the user that a token belongs to. It has the token's name and an undeliverable
// address.
func newBot(c db.Container, name string, by tree.User) tree.User {
	var random [16]byte
	rand.Read(random[:]) // never fails
	username := fmt.Sprintf("%s_%d_bot_%s", c.Kind(), c.ID(), hex.EncodeToString(random[:]))
	u := tree.NewUser(username, name, username+"@noreply.invalid")
	u.Bot, u.External, u.CreatedByID = true, by.External, &by.ID
	u.CanCreateGroup, u.ProjectsLimit = false, 0
	return u
}

// RotateAccessToken rotates a token of a group or project. It refuses a token with a higher level
// than the user has, who would learn the new one.
func RotateAccessToken(
	ctx context.Context, st *db.Store, h Holder, t people.Token, until *db.Date,
) (people.IssuedToken, error) {
	h, err := h.hold(ctx, st)
	if err != nil {
		return people.IssuedToken{}, err
	}
	if !policy.MayGrant(h.By, policy.Level(*t.AccessLevel)) {
		return people.IssuedToken{},
			fault.BadRequest("Not eligible to rotate token with access level higher than the user")
	}
	return people.RotateToken(ctx, st, t, until)
}

// prolongBot extends the membership of a bot to the expiry of its new token.
func prolongBot(ctx context.Context, st *db.Store, t people.Token) error {
	m, err := findBotMember(ctx, st, t)
	if err == nil {
		m.ExpiresAt = t.ExpiresAt
		_, err = updateMember(ctx, st, m, m.AccessLevel)
	}
	return fault.IgnoreNotFound(err)
}

// retireBot blocks the bot of a token and removes all its memberships, also in groups that it
// created. The user itself stays for a month, because other rows name it as their author.
func retireBot(ctx context.Context, st *db.Store, t people.Token) error {
	if _, err := tree.SetUserState(ctx, st, t.UserID, "blocked", "active", "deactivated"); err != nil {
		return err
	}
	left, err := removeMembersOf(ctx, st, t.UserID)
	if err != nil {
		return err
	}
	return emitMembersChanged(ctx, st, MemberRemoved, left...)
}

// FindAccessToken returns a token of a group or project, or a not-found fault. One that was revoked
// is not found (gaps §15).
func FindAccessToken(ctx context.Context, s *db.Store, c db.Container, id int64) (people.Token, error) {
	w := people.TokenFilter{In: c}.Where()
	w.And(`t.id = @id and not t.revoked`, id)
	t, err := db.One[people.Token](ctx, s, "", `select t.* from personal_access_tokens t`+w.String(), w.Args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NotFound("Could not find " + c.Kind() + " access token with token_id: " + strconv.FormatInt(id, 10))
	}
	return t, err
}

// findBotMember returns the membership of the bot that a token of a group or project belongs to.
func findBotMember(ctx context.Context, s *db.Store, t people.Token) (Member, error) {
	w := db.NewWhere(nil)
	t.Container.Within(w, "m")
	w.And(`m.user_id = @user`, t.UserID)
	return db.One[Member](ctx, s, "", `select `+memberColumns+` from members m`+memberUsers+w.String(), w.Args)
}

// removeMembersOf removes a user from all groups and projects, and returns the removed memberships.
func removeMembersOf(ctx context.Context, s *db.Store, userID int64) ([]Member, error) {
	return db.Many[Member](ctx, s, `
		with changed as (delete from members m where m.user_id = @user and `+outsideOwnNamespace+` returning *)
		`+changedMember+` order by m.id`, pgx.NamedArgs{"user": userID})
}

// removeIdleBots removes the bots whose tokens have been invalid for a month or are gone with their
// group or project, and returns their number.
func removeIdleBots(ctx context.Context, s *db.Store) (int64, error) {
	bots, err := db.Many[tree.User](ctx, s, tree.SelectUsers+`
		where u.bot and u.updated_at < now() - interval '30 days'
		  and not exists (select from internal_users i where i.user_id = u.id) and not exists (
		    select from personal_access_tokens t
		    where t.user_id = u.id and not t.revoked
		      and (t.expires_at is null or t.expires_at > current_date - 30))
		order by u.id`, nil)
	if err != nil || len(bots) == 0 {
		return 0, err
	}
	if err := event.Emit(ctx, s, people.BeforeRemoval{Users: bots}); err != nil {
		return 0, err
	}
	ids := make([]int64, len(bots))
	for i, u := range bots {
		ids[i] = u.ID
	}
	return s.Affected(ctx, `delete from users where id = any(@ids)`, pgx.NamedArgs{"ids": ids})
}
