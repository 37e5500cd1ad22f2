package api

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"golang.org/x/crypto/ssh"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/part"
	"hew/server/people"
	"hew/server/tree"
)

// specimen stores n custom attributes and n deploy tokens of a group or project. Outside of both it
// stores n users with n attributes each, n tokens of the owner, and n keys of the owner, of root
// and of the last user, who has n impersonation tokens besides.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{"key": "key-0"}
	switch at.Kind() {
	case "group":
		return values, addHeld(ctx, h, at.Container, at.Group.Bearer(), n, values)
	case "project":
		return values, addHeld(ctx, h, at.Container, at.Project.Bearer(), n, values)
	}
	for i := range n {
		u, err := people.CreateUser(ctx, h, "", func(u *tree.User, _ tree.User) {
			u.Username = fmt.Sprintf("person-%d-of-%s", i, at.Group.Path)
			u.Name, u.Email = u.Username, u.Username+"@example.com"
		}, at.Owner)
		if err != nil {
			return nil, err
		}
		if err := addAttributes(ctx, h, u.Bearer(), n); err != nil {
			return nil, err
		}
		t, err := people.CreateToken(
			ctx, h, at.Owner, people.Token{Name: fmt.Sprint("token-", i), Scopes: []string{"api"}},
		)
		if err != nil {
			return nil, err
		}
		values["users/id"], values["personal_access_tokens/id"] = fmt.Sprint(u.ID), fmt.Sprint(t.ID)
		values["users/user_id"] = values["users/id"]
		if i < n-1 {
			continue
		}
		if err := addImpersonation(ctx, h, u, n, values); err != nil {
			return nil, err
		}
		for prefix, holder := range map[string]tree.User{"user": at.Owner, "root": {ID: 1}, "users": u} {
			if err := addKeys(ctx, h, holder, n, prefix, values); err != nil {
				return nil, err
			}
		}
	}
	return values, nil
}

// addImpersonation adds n impersonation tokens of a user.
func addImpersonation(ctx context.Context, h *db.Store, u tree.User, n int, values part.Values) error {
	for i := range n {
		t, err := people.CreateToken(ctx, h, u, people.Token{
			Name: fmt.Sprint("as-", i), Scopes: []string{"api"}, Impersonation: true,
		})
		if err != nil {
			return err
		}
		values["impersonation_token_id"] = fmt.Sprint(t.ID)
	}
	return nil
}

// addKeys adds n SSH keys and n OpenPGP keys of a user. prefix is the first segment of the paths
// that show them.
func addKeys(ctx context.Context, h *db.Store, u tree.User, n int, prefix string, values part.Values) error {
	for i := range n {
		public, _, err := ed25519.GenerateKey(nil)
		if err != nil {
			return err
		}
		line, err := ssh.NewPublicKey(public)
		if err != nil {
			return err
		}
		k, err := people.AddSSHKey(ctx, h, u, people.SSHKey{
			Title: fmt.Sprint("key-", i), Key: string(ssh.MarshalAuthorizedKey(line)), UsageType: "auth",
		})
		if err != nil {
			return err
		}
		armored, err := newGPGKey(fmt.Sprint("key-", i))
		if err != nil {
			return err
		}
		g, err := people.AddGPGKey(ctx, h, u, armored)
		if err != nil {
			return err
		}
		values["keys/id"] = fmt.Sprint(k.ID)
		values[prefix+"/keys/key_id"], values[prefix+"/gpg_keys/key_id"] = fmt.Sprint(k.ID), fmt.Sprint(g.ID)
	}
	return nil
}

// newGPGKey returns the armored public half of a new OpenPGP key.
func newGPGKey(name string) (string, error) {
	key, err := openpgp.NewEntity(name, "", name+"@example.com", &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	w, err := armor.Encode(&out, openpgp.PublicKeyType, nil)
	if err != nil {
		return "", err
	}
	if err := key.Serialize(w); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return out.String(), nil
}

// addHeld adds n custom attributes and n deploy tokens of a group or project.
func addHeld(ctx context.Context, h *db.Store, in db.Container, b tree.Bearer, n int, values part.Values) error {
	for i := range n {
		t, err := people.CreateDeployToken(ctx, h, in, people.DeployToken{
			Name: fmt.Sprint("deploy-", i), Scopes: catalogue.DeployScopes,
		})
		if err != nil {
			return err
		}
		values[in.Kind()+"s/deploy_tokens/token_id"] = fmt.Sprint(t.ID)
	}
	return addAttributes(ctx, h, b, n)
}

func addAttributes(ctx context.Context, h *db.Store, b tree.Bearer, n int) error {
	return people.ChangeCustomAttributes(ctx, h, b, func(attributes map[string]string) error {
		for i := range n {
			attributes[fmt.Sprint("key-", i)] = "value"
		}
		return nil
	})
}
