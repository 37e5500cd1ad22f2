package people

import (
	"context"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/setting"
	"hew/server/tree"
)

// How many days a token is good for: at most, and unless it says otherwise; and one that replaces another.
const (
	tokenDays   = 365
	rotatedDays = 7
)

// lifetime is how many days a token is good for on this instance: it may be less, not more.
func lifetime(s setting.Settings) int {
	if s.TokenLifetime > 0 {
		return min(s.TokenLifetime, tokenDays)
	}
	return tokenDays
}

// NewToken is a token with the secret itself, which is known only where it is made.
type NewToken struct {
	Token
	Plain string
}

// CreateToken makes a token for a user, whose UserID it gets: by name, description, scopes and, if it has one, expiry of t,
// and as one of the group or project that t is in.
func CreateToken(ctx context.Context, st *db.Store, u tree.User, t Token) (NewToken, error) {
	switch {
	case len(t.Scopes) == 0:
		return NewToken{}, fault.Param("scopes is empty")
	case u.Bot && t.AccessLevel == nil: // it would outlive the one that the bot is for
		return NewToken{}, fault.BadRequest("a bot has no token but its access token")
	}
	if err := CheckScopes(t.Scopes, u); err != nil {
		return NewToken{}, err
	}
	if err := CheckToken(t); err != nil {
		return NewToken{}, err
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return NewToken{}, err
	}
	last := db.Today().Add(lifetime(settings))
	switch {
	case t.ExpiresAt == nil:
		t.ExpiresAt = &last
	case t.ExpiresAt.After(last.Time):
		return NewToken{}, fault.Invalid("expires_at", "must be before "+last.Add(1).String())
	case !t.ExpiresAt.After(db.Today().Time):
		return NewToken{}, fault.Invalid("expires_at", "must be a date in the future")
	}
	plain := secret.NewToken(settings.TokenPrefix)
	digest := secret.Digest(plain)
	t, err = InsertToken(ctx, st, Token{
		UserID: u.ID, Container: t.Container, AccessLevel: t.AccessLevel,
		Name: t.Name, Description: t.Description, Scopes: t.Scopes, ExpiresAt: t.ExpiresAt,
		Digest: digest[:], Prefix: settings.TokenPrefix,
	})
	return NewToken{Token: t, Plain: plain}, err
}

// CheckToken says what is wrong with the texts of a token: they are in every list of tokens, and its bot has its name.
func CheckToken(t Token) error {
	var wrong check.Problems
	switch {
	case strings.TrimSpace(t.Name) == "":
		wrong.On("name", check.Blank)
	case len([]rune(t.Name)) > 255:
		wrong.On("name", check.TooLong)
	}
	if t.Description != nil && len([]rune(*t.Description)) > 255 {
		wrong.On("description", check.TooLong)
	}
	return wrong.Err()
}

// RotateToken ends a token and makes another one like it for the same user, good until that day, or for a week. Of two
// who rotate the same token at once, one is refused.
func RotateToken(ctx context.Context, st *db.Store, t Token, until *db.Date) (fresh NewToken, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if t.Expired() {
			return revoked()
		}
		if err := endToken(ctx, st, t); err != nil {
			return err
		}
		owner, err := tree.FindUser(ctx, st, t.UserID)
		if err != nil {
			return err
		}
		if t.ExpiresAt = until; until == nil {
			settings, err := setting.Read(ctx, st)
			if err != nil {
				return err
			}
			week := db.Today().Add(min(rotatedDays, lifetime(settings)))
			t.ExpiresAt = &week
		}
		if fresh, err = CreateToken(ctx, st, owner, t); err != nil || t.AccessLevel == nil {
			return err
		}
		return event.Emit(ctx, st, TokenRotated{fresh.Token})
	})
	return fresh, err
}

// RevokeToken ends a token, and with one of a group or project the bot that it belongs to. One that has been revoked cannot
// be revoked again.
func RevokeToken(ctx context.Context, st *db.Store, t Token) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := endToken(ctx, st, t); err != nil || t.AccessLevel == nil {
			return err
		}
		return event.Emit(ctx, st, TokenRevoked{t})
	})
}

func endToken(ctx context.Context, st *db.Store, t Token) error {
	news, err := RevokeStoredToken(ctx, st, t)
	if err == nil && !news {
		err = revoked()
	}
	return err
}

func revoked() error { return fault.BadRequest("token already revoked") }
