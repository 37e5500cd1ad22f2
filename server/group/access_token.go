package group

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// Holder is a group or project as far as its access tokens go, and the one who acts on them. What he may do depends on his
// level and on the token's: that, and only that, is asked here.
type Holder struct {
	db.Container
	By policy.Who
}

// CreateAccessToken makes a token of a group or project out of name, description, scopes, level and expiry of t (gaps
// §2.2). It belongs to a bot, which is made with it, is a member with that level as long as the token is good, and is in
// other respects a user who can do little: the token is what there is of it.
func CreateAccessToken(
	ctx context.Context, st *db.Store, h Holder, by tree.User, t people.Token,
) (fresh people.NewToken, err error) {
	level := *t.AccessLevel
	switch {
	case by.Bot: // or a token that has leaked could not be revoked
		return fresh, fault.BadRequest("User does not have permission to create " + h.Kind() + " access token")
	case !policy.MayGrant(h.By, policy.Level(level)):
		return fresh, fault.BadRequest("Access level of the token can't be greater the access level of the user who created the token")
	}
	if err := people.CheckToken(t); err != nil { // before there is a bot
		return fresh, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		bot, err := tree.CreateUser(ctx, st, newBot(h.Container, t.Name, by))
		if err != nil {
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
		return TellMembers(ctx, st, memberAdded, m)
	})
	return fresh, err
}

// newBot is the user behind a token: it has the token's name, a username that says what it is, and an address that no mail
// reaches.
func newBot(c db.Container, name string, by tree.User) tree.User {
	var random [16]byte
	rand.Read(random[:]) // never fails
	username := fmt.Sprintf("%s_%d_bot_%s", c.Kind(), c.ID(), hex.EncodeToString(random[:]))
	u := tree.NewUser(username, name, username+"@noreply.invalid")
	u.Bot, u.External, u.CreatedByID = true, by.External, &by.ID
	u.CanCreateGroup, u.ProjectsLimit = false, 0
	return u
}

// RotateAccessToken is RotateToken for a token of a group or project, which may be of no higher level than who rotates it:
// he learns the new one.
func RotateAccessToken(ctx context.Context, st *db.Store, h Holder, t people.Token, until *db.Date) (people.NewToken, error) {
	if !policy.MayGrant(h.By, policy.Level(*t.AccessLevel)) {
		return people.NewToken{}, fault.BadRequest("Not eligible to rotate token with access level higher than the user")
	}
	return people.RotateToken(ctx, st, t, until)
}

// prolongBot lets a bot be a member for as long as its new token is good.
func prolongBot(ctx context.Context, st *db.Store, t people.Token) error {
	m, err := BotMember(ctx, st, t)
	if err == nil {
		m.ExpiresAt = t.ExpiresAt
		_, err = UpdateMember(ctx, st, m, m.AccessLevel)
	}
	return fault.IgnoreNotFound(err)
}

// retireBot takes away what the bot of a token was, also in what it has made itself. What it did stays its own, so that it
// is not removed at once.
func retireBot(ctx context.Context, st *db.Store, t people.Token) error {
	if _, err := tree.SetUserState(ctx, st, t.UserID, "blocked", "active", "deactivated"); err != nil {
		return err
	}
	left, err := RemoveMembersOf(ctx, st, t.UserID)
	if err != nil {
		return err
	}
	return TellMembers(ctx, st, memberRemoved, left...)
}
