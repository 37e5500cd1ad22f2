package server

import (
	"context"
	"fmt"

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

// EnsureRoot creates the user root and its token if they are missing. It returns the wanted token,
// a new one at the first start, or "" if the token is not known. Wanting another token than before
// revokes the old one.
func EnsureRoot(ctx context.Context, st *db.Store, wanted string) (token string, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "root"); err != nil {
			return err
		}
		if _, err := tree.FindUser(ctx, st, rootID); fault.CodeOf(err) == fault.CodeNotFound {
			root := tree.NewUser("root", "Administrator", "admin@example.com")
			root.ID, root.Admin = rootID, true
			if _, err := tree.CreateUser(ctx, st, root); err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
		id := int64(rootID)
		old, _, err := people.Tokens(ctx, st, people.TokenFilter{UserID: &id, Search: rootToken}, db.Page{Limit: 100})
		if err != nil {
			return err
		}
		if wanted == "" && len(old) > 0 {
			return nil
		}
		token = wanted
		if token == "" {
			token = secret.NewToken("glpat-")
		}
		digest := secret.Digest(token)
		for _, t := range old {
			if [32]byte(t.Digest) == digest {
				return nil
			}
		}
		for _, t := range old {
			if _, err := people.MarkRevoked(ctx, st, t); err != nil {
				return err
			}
		}
		_, err = people.InsertToken(ctx, st, people.Token{
			UserID: rootID, Name: rootToken, Scopes: []string{"api", "admin_mode"}, Digest: digest[:],
		})
		return err
	})
	if err != nil {
		return "", fmt.Errorf("root: %w", err)
	}
	return token, nil
}
