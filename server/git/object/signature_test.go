package object_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
)

// TestSignaturesVerify has git sign a commit and a tag, and ssh-keygen verify what the package says
// was signed.
func TestSignaturesVerify(t *testing.T) {
	t.Parallel()
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not installed (apt-get install openssh-client)")
	}
	key := filepath.Join(t.TempDir(), "key")
	require.NoError(t, exec.Command(keygen, "-q", "-t", "ed25519", "-N", "", "-f", key).Run())
	verify := func(payload []byte, signature string) error {
		file := filepath.Join(t.TempDir(), "signature")
		require.NoError(t, os.WriteFile(file, []byte(signature), 0o600))
		cmd := exec.Command(keygen, "-Y", "check-novalidate", "-n", "git", "-s", file)
		cmd.Stdin = bytes.NewReader(payload)
		return cmd.Run()
	}

	r := gittest.New(t)
	signing := []string{"-c", "gpg.format=ssh", "-c", "user.signingkey=" + key}
	tree := r.Write(object.KindTree, "").String()
	id := strings.TrimSpace(r.Git("Title\n\nBody\n", append(signing, "commit-tree", "-S", tree)...))
	r.Git("", append(signing, "tag", "-s", "-m", "Title\n\nBody", "v1", id)...)
	store := r.Objects()

	commit, err := object.ReadCommit(t.Context(), store, r.ID(id))
	require.NoError(t, err)
	require.NoError(t, verify(commit.SignedPayload(), commit.Signature))
	require.Equal(t, "Title\n\nBody\n", commit.Message)
	tag, err := object.ParseTag(store[r.ID(r.Git("", "rev-parse", "v1"))].Data)
	require.NoError(t, err)
	require.NoError(t, verify(tag.SignedPayload(), tag.Signature))
	require.Equal(t, "Title\n\nBody\n", tag.Message)
	require.Error(t, verify(commit.Encode(), commit.Signature))
}
