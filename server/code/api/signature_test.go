package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/servertest"
)

// pgp makes a key with these addresses, which never leaves the test.
func pgp(t *testing.T, emails ...string) (key *openpgp.Entity, public string) {
	key, err := openpgp.NewEntity("Signer", "", emails[0], nil)
	require.NoError(t, err)
	for _, email := range emails[1:] {
		require.NoError(t, key.AddUserId("Signer", "", email, nil))
	}
	var text bytes.Buffer
	w, err := armor.Encode(&text, openpgp.PublicKeyType, nil)
	require.NoError(t, err)
	require.NoError(t, key.Serialize(w))
	require.NoError(t, w.Close())
	return key, text.String()
}

func signPGP(t *testing.T, payload []byte, keys ...*openpgp.Entity) string {
	var text bytes.Buffer
	w, err := armor.Encode(&text, openpgp.SignatureType, nil)
	require.NoError(t, err)
	for _, key := range keys {
		require.NoError(t, openpgp.DetachSign(w, key, bytes.NewReader(payload), nil))
	}
	require.NoError(t, w.Close())
	return text.String() + "\n"
}

// sshKey makes a key with ssh-keygen, and signSSH signs with it.
func sshKey(t *testing.T) (file, public string) {
	file = filepath.Join(t.TempDir(), "key")
	require.NoError(t, exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", file).Run())
	text, err := os.ReadFile(file + ".pub")
	require.NoError(t, err)
	return file, strings.TrimSpace(string(text))
}

func signSSH(t *testing.T, payload []byte, key, namespace string) string {
	cmd := exec.Command("ssh-keygen", "-Y", "sign", "-n", namespace, "-f", key)
	cmd.Stdin = bytes.NewReader(payload)
	out, err := cmd.Output()
	require.NoError(t, err)
	return string(out)
}

// TestSignatures is the table of more-2 §8.4.
func TestSignatures(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	alice, bob := s.User(t, "alice"), s.User(t, "bob")
	const mail, work, bobs = "alice@example.com", "alice@work.example", "bob@example.com"
	s.Do(t, s.RootToken, "PUT", fmt.Sprintf("/users/%d", alice.ID), map[string]any{"commit_email": work})
	add := func(who servertest.Persona, kind string, body map[string]any) {
		require.Equal(t, 201, s.Do(t, who.Token, "POST", "/user/"+kind, body).Status)
	}
	own, public := pgp(t, mail)
	add(alice, "gpg_keys", map[string]any{"key": public})
	foreign, public := pgp(t, "somebody@example.net")
	add(alice, "gpg_keys", map[string]any{"key": public})
	stranger, _ := pgp(t, mail)
	key, public := sshKey(t)
	add(alice, "keys", map[string]any{"title": "signs", "key": public, "usage_type": "signing"})
	authKey, public := sshKey(t)
	add(alice, "keys", map[string]any{"title": "logs in", "key": public, "usage_type": "auth"})

	byPGP := func(keys ...*openpgp.Entity) func([]byte) string {
		return func(payload []byte) string { return signPGP(t, payload, keys...) }
	}
	bySSH := func(key, namespace string) func([]byte) string {
		return func(payload []byte) string { return signSSH(t, payload, key, namespace) }
	}
	other := func(sign func([]byte) string) func([]byte) string { // a signature of something else
		return func([]byte) string { return sign([]byte("something else")) }
	}
	cases := []struct {
		name, kind, status, committer string
		sign                          func([]byte) string
	}{
		{"gpg own address", "PGP", "verified", mail, byPGP(own)},
		{"gpg another address of the owner", "PGP", "same_user_different_email", work, byPGP(own)},
		{"gpg address of another user", "PGP", "other_user", bobs, byPGP(own)},
		{"gpg key of nobody's address", "PGP", "unverified_key", mail, byPGP(foreign)},
		{"gpg signature of something else", "PGP", "unverified_key", mail, other(byPGP(own))},
		{"gpg unknown key", "PGP", "unknown_key", mail, byPGP(stranger)},
		{"gpg two signatures", "PGP", "multiple_signatures", mail, byPGP(own, stranger)},
		{"ssh own address", "SSH", "verified", mail, bySSH(key, "git")},
		{"ssh address of another user", "SSH", "other_user", bobs, bySSH(key, "git")},
		{"ssh address that is not confirmed", "SSH", "unverified", work, bySSH(key, "git")},
		{"ssh for files", "SSH", "unverified", mail, bySSH(key, "file")},
		{"ssh signature of something else", "SSH", "unverified", mail, other(bySSH(key, "git"))},
		{"ssh key that only logs in", "SSH", "unknown_key", mail, bySSH(authKey, "git")},
		{"x509 nonsense", "X509", "unverified", mail, func([]byte) string {
			return "-----BEGIN SIGNED MESSAGE-----\nAAAA\n-----END SIGNED MESSAGE-----\n"
		}},
	}
	w := gittest.NewClient(t)
	w.Git("init", "-q", "-b", "main", ".")
	write := func(kind string, data []byte) string {
		require.NoError(t, os.WriteFile(filepath.Join(w.Dir, "object"), data, 0o600))
		return strings.TrimSpace(w.Git("hash-object", "-t", kind, "-w", "object"))
	}
	tree, err := object.ParseID(strings.TrimSpace(w.Git("write-tree")))
	require.NoError(t, err)
	commit := func(message, committer string, sign func([]byte) string) string {
		by := object.Signature{Name: "C", Email: committer, When: time.Unix(1700000000, 0)}
		c := object.Commit{Tree: tree, Author: by, Committer: by, Message: message}
		if sign != nil {
			c.Signature = sign(c.Encode())
		}
		return write("commit", c.Encode())
	}
	w.Git("update-ref", "refs/heads/main", commit("Unsigned\n", mail, nil))
	for i, c := range cases {
		id := commit(c.name+"\n", c.committer, c.sign)
		w.Git("update-ref", fmt.Sprint("refs/heads/case-", i), id)
		target, err := object.ParseID(id)
		require.NoError(t, err)
		tag := object.Tag{
			Object: target, Kind: object.KindCommit, Name: fmt.Sprint("tag-", i), Message: c.name + "\n",
			Tagger: object.Signature{Name: "C", Email: c.committer, When: time.Unix(1700000000, 0)},
		}
		tag.Signature = c.sign(tag.Encode())
		w.Git("update-ref", fmt.Sprint("refs/tags/tag-", i), write("tag", tag.Encode()))
	}
	var p servertest.Made
	s.Do(t, bob.Token, "POST", "/projects", map[string]any{"name": "signed"}).Into(t, &p)
	remote := address(s, p.Path, bob.Token)
	w.Git("push", "-q", remote, "--all")
	w.Git("push", "-q", remote, "--tags")

	base := fmt.Sprintf("/projects/%d/repository/", p.ID)
	for i, c := range cases {
		for _, path := range []string{"commits/case-", "tags/tag-"} {
			reply := s.Do(t, bob.Token, "GET", fmt.Sprintf("%s%s%d/signature", base, path, i), nil)
			var got struct {
				Type   string `json:"signature_type"`
				Status string `json:"verification_status"`
			}
			require.Equal(t, 200, reply.Status, string(reply.Body))
			require.NoError(t, json.Unmarshal(reply.Body, &got))
			require.Equal(t, c.kind+" "+c.status, got.Type+" "+got.Status, "%s%d: %s", path, i, c.name)
		}
	}
	reply := s.Do(t, bob.Token, "GET", base+"commits/main/signature", nil)
	require.Equal(t, 404, reply.Status)
	require.JSONEq(t, `{"message":"404 Signature Not Found"}`, string(reply.Body))
}
