package server_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"hew/server/db"
	"hew/server/servertest"
	"hew/server/tree"
)

// contest is what the requests of one round are about.
type contest struct {
	group, guests tree.Group
	project       tree.Project
	user          tree.User
	ssh, gpg      string // public keys
	name          string
}

// newContest makes what the requests of one round are about: public groups and a public project.
func newContest(t *testing.T, w servertest.World, name string) contest {
	c := contest{name: name, gpg: newGPGKey(t)}
	c.group, c.guests = w.Group(c.name+"-g", nil, 1), w.Group(c.name+"-guests", nil, 1)
	c.project, c.user = w.Project(c.name+"-p", c.group.ID, 1), w.User(c.name+"-u")
	for _, table := range []string{"namespaces", "projects"} {
		require.NoError(t, w.Exec(t.Context(), `update `+table+` set visibility = @public where id = any(@ids)`,
			pgx.NamedArgs{"public": db.Public, "ids": []int64{c.group.ID, c.guests.ID, c.project.ID}}))
	}
	public, _, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	key, err := ssh.NewPublicKey(public)
	require.NoError(t, err)
	c.ssh = string(ssh.MarshalAuthorizedKey(key))
	return c
}

// newGPGKey returns an armored OpenPGP key.
func newGPGKey(t *testing.T) string {
	key, err := openpgp.NewEntity("x", "", "", &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	require.NoError(t, err)
	var out strings.Builder
	w, err := armor.Encode(&out, openpgp.PublicKeyType, nil)
	require.NoError(t, err)
	require.NoError(t, errors.Join(key.Serialize(w), w.Close()))
	return out.String()
}
