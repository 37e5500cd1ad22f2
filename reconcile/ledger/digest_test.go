package ledger

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const testKey = "0123456789abcdef0123456789abcdef"

// TestDigests pins the digests, because the next release must match those of this one.
func TestDigests(t *testing.T) {
	key, err := NewKey(" " + testKey + "\n")
	require.NoError(t, err)
	d := NewDigester("lineage", key)
	plain, secret := d.Plain(`"internal"`), d.Secret(`"hunter2"`)
	require.Equal(t, Digest("p:wPaZkoiZ0EFFDIQexbl4CQ"), plain)
	require.Equal(t, Digest("s:dkq0xSXJGsgAEdYe-4NmNQ"), secret)
	require.False(t, plain.Secret())
	require.True(t, secret.Secret())

	other, err := NewKey(testKey + "x")
	require.NoError(t, err)
	for _, tt := range []struct {
		name   string
		d      *Digester
		digest Digest
		value  string
		want   bool
	}{
		{"plain", d, plain, `"internal"`, true},
		{"secret", d, secret, `"hunter2"`, true},
		{"another value", d, plain, `"private"`, false},
		{"another secret", d, secret, `"hunter3"`, false},
		{"nothing known", d, "", `"internal"`, false},
		{"not a digest", d, `"internal"`, `"internal"`, false},
		{"another lineage", NewDigester("other", key), plain, `"internal"`, false},
		{"another lineage, secret", NewDigester("other", key), secret, `"hunter2"`, false},
		{"another key, plain", NewDigester("lineage", other), plain, `"internal"`, true},
		{"another key", NewDigester("lineage", other), secret, `"hunter2"`, false},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, tt.d.Matches(tt.digest, tt.value)) })
	}
}

func TestKeyTooShort(t *testing.T) {
	_, err := NewKey("hunter2")
	require.ErrorContains(t, err, "HEW_LEDGER_KEY has 7 characters")
	require.NotContains(t, err.Error(), "hunter2")
}

func TestNewKeyIsSavedOnFirstUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".hew")
	path := filepath.Join(dir, KeyName)
	first, err := newFileKey(path)
	require.NoError(t, err)
	rival, err := newFileKey(path)
	require.NoError(t, err)
	NewDigester("l", first).Plain("x")
	require.NoDirExists(t, dir, "no secret yet, so no key")

	digest := NewDigester("l", first).Secret("x")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	ignored, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	require.NoError(t, err)
	require.Equal(t, "/key\n", string(ignored))

	require.Equal(t, digest, NewDigester("l", rival).Secret("x"), "who comes second takes the key that is there")
	later, err := newFileKey(path)
	require.NoError(t, err)
	require.Equal(t, digest, NewDigester("l", later).Secret("x"))
}

func TestKeyThatCannotBeSaved(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	b := File(filepath.Join(dir, "ledger.json"), "").(*fileBackend)
	_, d, err := Open(t.Context(), b, "https://a.example")
	require.NoError(t, err)
	b.key.file = filepath.Join(blocked, KeyName) // a directory that cannot be made

	require.NoError(t, d.Err(), "not needed yet")
	require.True(t, d.Matches(d.Secret("x"), "x"), "planning goes on")
	require.ErrorContains(t, d.Err(), "HEW_LEDGER_KEY")
	require.Equal(t, d.Err(), b.Append(t.Context(), delta(1)), "no digest is stored under a key that is lost")
	require.NoFileExists(t, b.path)
}

func TestIgnore(t *testing.T) {
	for _, tt := range []struct{ before, after string }{
		{"", "/key\n/lock\n"},
		{"*.bak", "*.bak\n/key\n/lock\n"},
		{"/lock\n", "/lock\n/key\n"},
		{"/key\n/lock\n", "/key\n/lock\n"},
	} {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
		path := filepath.Join(dir, ".gitignore")
		if tt.before != "" {
			require.NoError(t, os.WriteFile(path, []byte(tt.before), 0o644))
		}
		require.NoError(t, addToGitignore(dir, "key", "lock"))
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, tt.after, string(after))
	}
}
