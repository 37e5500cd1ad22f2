package protect_test

import (
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"hew/server/protect"
	"hew/server/servertest"
	"hew/server/tree"
)

// A project that changes only whether a key may push does not undo a title that another gives the
// key at the same time.
func TestChangeDeployKeyKeepsTitle(t *testing.T) {
	t.Parallel()
	w := servertest.NewWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	by := tree.Viewer{UserID: alice.ID}
	site := w.Project("site", alice.NamespaceID, alice.ID).Container()
	docs := w.Project("docs", alice.NamespaceID, alice.ID).Container()
	public, err := ssh.NewPublicKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)).Public())
	require.NoError(t, err)
	key := protect.DeployKey{Title: "old", Key: string(ssh.MarshalAuthorizedKey(public))}
	added, err := protect.AddDeployKey(ctx, w.Store, site, by, key, protect.DeployKeyAccess{})
	require.NoError(t, err)
	admin := tree.Viewer{UserID: alice.ID, All: true}
	_, err = protect.AddDeployKey(ctx, w.Store, docs, admin, key, protect.DeployKeyAccess{})
	require.NoError(t, err)

	e, err := protect.ChangeDeployKey(ctx, w.Store, docs, by, added.DeployKeyID, func(e *protect.EnabledKey) error {
		e.CanPush = true
		_, err := protect.ChangeDeployKey(ctx, w.Store, site, by, e.DeployKeyID, func(e *protect.EnabledKey) error {
			e.Key.Title = "new"
			return nil
		})
		return err
	})
	require.NoError(t, err)
	require.True(t, e.CanPush)
	require.Equal(t, "new", e.Key.Title)
}
