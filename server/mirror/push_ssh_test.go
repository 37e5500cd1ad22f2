package mirror_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
)

// TestPushBySSH: the mirror makes its key, keeps the host key that it met, and accepts no other.
func TestPushBySSH(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "shell")
	to := sc.bare("it's/site.git")
	host := gittest.ServeSSH(t, sc.dir)
	was := host.ChangeKey(t)
	m := sc.mirror(fmt.Sprintf("ssh://git@%s/it's/site.git", host.Address), map[string]any{"auth_method": "ssh_public_key"})
	require.Empty(t, m.HostKeys)
	for i := range 12 { // more than one batch, each in a session of its own
		sc.work.Git("branch", fmt.Sprint("b", i))
	}
	sc.push("--all")
	now := sc.show(m)
	require.Equal(t, "to_retry", now.Status)
	require.Equal(t, "127.0.0.1 does not accept the SSH key of the mirror; add its public key there", now.error())

	var key struct {
		Line string `json:"public_key"`
	}
	sc.do("GET", fmt.Sprintf("/remote_mirrors/%d/public_key", m.ID), nil).Into(t, &key)
	require.Regexp(t, `^ssh-ed25519 \S+$`, key.Line)
	host.Admit(t, key.Line)
	now = sc.sync(m)
	require.Equal(t, "finished", now.Status, now.error())
	require.Equal(t, refsOf(sc.work), refsOf(to))
	require.Len(t, now.HostKeys, 1)
	require.Equal(t, was, now.HostKeys[0].Fingerprint)

	other := host.ChangeKey(t)
	sc.work.Commit("more", "more\n")
	sc.push("main")
	now = sc.sync(m)
	require.Equal(t, "to_retry", now.Status)
	require.Equal(t, "the host key of 127.0.0.1 is not one of host_keys: its fingerprint is "+other, now.error())
	require.NotEqual(t, refsOf(sc.work), refsOf(to))
}

// TestPushBySSHRefused: what a host says of a repository that it does not have is shown. Its key is
// kept however the scheme is written.
func TestPushBySSHRefused(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "shelled")
	host := gittest.ServeSSH(t, sc.dir)
	m := sc.mirror(fmt.Sprintf("SSH://git@%s/none.git", host.Address), map[string]any{"auth_method": "ssh_public_key"})
	var key struct {
		Line string `json:"public_key"`
	}
	sc.do("GET", fmt.Sprintf("/remote_mirrors/%d/public_key", m.ID), nil).Into(t, &key)
	host.Admit(t, key.Line)
	sc.push("main")
	now := sc.show(m)
	require.Equal(t, "to_retry", now.Status)
	require.Contains(t, now.error(), "the host ended the transfer: fatal: ")
	require.Len(t, now.HostKeys, 1)
}
