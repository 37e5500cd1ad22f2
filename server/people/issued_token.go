package people

import (
	"context"
	"slices"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/setting"
	"hew/server/tree"
)

// How many days a token is valid: at most and by default, and one that replaces another by default.
const (
	tokenDays   = 365
	rotatedDays = 7
)

// maxLifetime returns how many days a token may be valid on this instance: tokenDays or fewer.
func maxLifetime(s setting.Settings) int {
	if s.TokenLifetime > 0 {
		return min(s.TokenLifetime, tokenDays)
	}
	return tokenDays
}

// IssuedToken is a token with its secret, which only the answer that creates it shows.
type IssuedToken struct {
	Token
	Plain string
}

// CreateToken creates a token of a user from name, description, scopes, container, level, expiry
// and impersonation of t. Without an expiry it is valid as long as the instance allows.
func CreateToken(ctx context.Context, st *db.Store, u tree.User, t Token) (IssuedToken, error) {
	switch {
	case len(t.Scopes) == 0:
		return IssuedToken{}, fault.Param("scopes is empty")
	case u.Bot && t.AccessLevel == nil: // it would outlive the token that the bot belongs to
		return IssuedToken{}, fault.BadRequest("A bot user can have only its own access token.")
	}
	if err := checkScopes(t.Scopes, u); err != nil {
		return IssuedToken{}, err
	}
	if err := CheckToken(t); err != nil {
		return IssuedToken{}, err
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return IssuedToken{}, err
	}
	last := db.Today().Add(maxLifetime(settings))
	switch {
	case t.ExpiresAt == nil:
		t.ExpiresAt = &last
	case t.ExpiresAt.After(last.Time):
		return IssuedToken{}, fault.Invalid("expires_at", "must be before "+last.Add(1).String())
	case !t.ExpiresAt.After(db.Today().Time):
		return IssuedToken{}, fault.Invalid("expires_at", "must be a date in the future")
	}
	plain := secret.NewToken(settings.TokenPrefix)
	digest := secret.Digest(plain)
	t, err = InsertToken(ctx, st, Token{
		UserID: u.ID, Container: t.Container, AccessLevel: t.AccessLevel, Impersonation: t.Impersonation,
		Name: t.Name, Description: t.Description, Scopes: t.Scopes, ExpiresAt: t.ExpiresAt,
		Digest: digest[:], Prefix: settings.TokenPrefix,
	})
	return IssuedToken{Token: t, Plain: plain}, err
}

// CheckToken returns a fault about the name and the description of a token, if they are invalid.
// The bot of a token is named after it.
func CheckToken(t Token) error {
	var wrong check.Problems
	if strings.TrimSpace(t.Name) == "" {
		wrong.On("name", check.Blank)
	}
	wrong.Fits("name", t.Name, 255)
	if t.Description != nil {
		wrong.Fits("description", *t.Description, 255)
	}
	return wrong.Err()
}

// RotateToken revokes a token and creates another one like it, valid until that day or, by default,
// for a week. Of two concurrent rotations of one token the second is refused.
func RotateToken(ctx context.Context, st *db.Store, t Token, until *db.Date) (fresh IssuedToken, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if t.Expired() {
			return alreadyRevoked()
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
			week := db.Today().Add(min(rotatedDays, maxLifetime(settings)))
			t.ExpiresAt = &week
		}
		if fresh, err = CreateToken(ctx, st, owner, t); err != nil || t.AccessLevel == nil {
			return err
		}
		return event.Emit(ctx, st, TokenRotated{fresh.Token})
	})
	return fresh, err
}

// RevokeToken revokes a token, and emits TokenRevoked for one of a group or project. It fails if
// the token is revoked already.
func RevokeToken(ctx context.Context, st *db.Store, t Token) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := endToken(ctx, st, t); err != nil || t.AccessLevel == nil {
			return err
		}
		return event.Emit(ctx, st, TokenRevoked{t})
	})
}

func endToken(ctx context.Context, st *db.Store, t Token) error {
	changed, err := MarkRevoked(ctx, st, t)
	if err == nil && !changed {
		err = alreadyRevoked()
	}
	return err
}

func alreadyRevoked() error { return fault.BadRequest("token already revoked") }

// TokenScopes are the scopes that a personal access token may have (gaps §1.3).
var TokenScopes = []string{
	"api", "read_api", "read_user", "read_repository", "write_repository", "read_registry", "write_registry", "sudo",
	"admin_mode", "create_runner", "manage_runner", "ai_features", "k8s_proxy", "read_service_ping", "self_rotate",
}

// adminScopes are the scopes that only an administrator's token may have.
var adminScopes = []string{"sudo", "admin_mode", "read_service_ping"}

// checkScopes returns a fault if a token of the user may not have these scopes.
func checkScopes(scopes []string, u tree.User) error {
	for _, s := range scopes {
		if !slices.Contains(TokenScopes, s) || slices.Contains(adminScopes, s) && !u.Admin {
			return fault.Invalid("scopes", "can only contain available scopes")
		}
	}
	return nil
}
