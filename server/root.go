package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/secret"
	"hew/server/tree"
)

// rootID is the administrator that every installation begins with.
const rootID = 1

// rootToken is the name of the token that the operator holds.
const rootToken = "hewd root token"

// rootScopes are the scopes of the operator's token. With sudo it acts as any user.
var rootScopes = []string{"api", "sudo", "admin_mode", "read_repository", "write_repository"}

// EnsureRoot creates the user root and its token if they are missing. It returns the wanted token,
// a new one at the first start, or "" if the token is not known. Wanting another token than before
// revokes the old one, which is logged. A wanted token that nobody could sign in with is an error.
func EnsureRoot(ctx context.Context, st *db.Store, wanted string, log *slog.Logger) (token string, err error) {
	var replaced []people.Token
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "root"); err != nil {
			return err
		}
		if err := ensureRootUser(ctx, st); err != nil {
			return err
		}
		if err := people.SetTokenScopes(ctx, st, rootID, rootToken, rootScopes); err != nil {
			return err
		}
		token, replaced, err = ensureRootToken(ctx, st, wanted)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("root: %w", err)
	}
	for _, t := range replaced {
		log.LogAttrs(ctx, slog.LevelWarn, "HEWD_ROOT_TOKEN is a new token: the token of root before it is revoked",
			slog.Int64("token_id", t.ID), slog.Time("created_at", t.CreatedAt))
	}
	return token, nil
}

func ensureRootUser(ctx context.Context, st *db.Store) error {
	_, err := tree.FindUser(ctx, st, rootID)
	if fault.CodeOf(err) != fault.CodeNotFound {
		return err
	}
	root := tree.NewUser("root", "Administrator", "admin@example.com")
	root.ID, root.Admin = rootID, true
	_, err = tree.CreateUser(ctx, st, root)
	return err
}

// ensureRootToken returns the token that EnsureRoot returns, and the tokens that it replaces.
func ensureRootToken(ctx context.Context, st *db.Store, wanted string) (string, []people.Token, error) {
	old, err := people.TokensNamed(ctx, st, rootID, rootToken)
	if err != nil || wanted == "" && len(old) > 0 {
		return "", nil, err
	}
	token := wanted
	if token == "" {
		token = secret.NewToken("glpat-")
	}
	digest := secret.Digest(token)
	switch owner, known, err := people.FindTokenOwner(ctx, st, digest[:]); {
	case err == nil:
		return token, nil, checkRootToken(owner, known)
	case fault.CodeOf(err) != fault.CodeNotFound:
		return "", nil, err
	}
	var replaced []people.Token
	for _, t := range old {
		revoked, err := people.MarkRevoked(ctx, st, t)
		if err != nil {
			return "", nil, err
		}
		if revoked {
			replaced = append(replaced, t)
		}
	}
	_, err = people.InsertToken(ctx, st, people.Token{
		UserID: rootID, Name: rootToken, Scopes: rootScopes, Digest: digest[:],
	})
	return token, replaced, err
}

// checkRootToken returns an error that says what to do if root cannot sign in with a token that the
// database has already.
func checkRootToken(owner tree.User, t people.Token) error {
	switch {
	case owner.ID != rootID:
		return fmt.Errorf("the token in HEWD_ROOT_TOKEN or --root-token belongs to the user %s; "+
			"set it to a token of root, or to a new one", owner.Username)
	case t.Revoked:
		return errors.New("the token in HEWD_ROOT_TOKEN or --root-token was revoked, so root cannot sign in with it; " +
			"set it to a new token, or to one of root that is active")
	case t.Expired():
		return fmt.Errorf("the token in HEWD_ROOT_TOKEN or --root-token expired on %s, so root cannot sign in with it; "+
			"set it to a new token, or to one of root that is active", t.ExpiresAt)
	}
	return nil
}
