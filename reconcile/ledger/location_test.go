package ledger

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
	require.NoError(t, os.Symlink("real", filepath.Join(dir, "link")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "there.json"), nil, 0o600))
	require.NoError(t, os.Link(filepath.Join(dir, "there.json"), filepath.Join(dir, "other.json")))
	in := func(name string) Backend { return File(filepath.Join(dir, name), "") }
	web := func(address, user string) Backend {
		b, err := HTTP(HTTPConfig{Address: address, Username: user})
		require.NoError(t, err)
		return b
	}
	row := func(url, name string) Backend {
		b, err := Postgres(PostgresConfig{URL: url, Name: name})
		require.NoError(t, err)
		return b
	}
	for _, c := range []struct {
		name string
		a, b Backend
		same bool
	}{
		{"a file", in("real/l.json"), in("real/../real/l.json"), true},
		{"a file that is not there, behind a link", in("real/.hew/l.json"), in("link/.hew/l.json"), true},
		{"a file of two names", in("there.json"), in("other.json"), true},
		{"two files", in("real/l.json"), in("real/m.json"), false},
		{"with a lock timeout", WithLockTimeout(in("real/l.json"), 1), in("real/l.json"), true},
		{"an address", web("https://Git.example.com/state/a", "ci"), web("https://me:x@git.example.com/state/a", ""),
			true},
		{"two addresses", web("https://git.example.com/state/a", ""), web("https://git.example.com/state/b", ""),
			false},
		{"two by a parameter", web("https://git.example.com/state?of=a", ""),
			web("https://git.example.com/state?of=b", ""), false},
		{"a row", row("postgres://me@db.example.com/hew", ""), row("postgres://db.example.com:5432/hew", "default"),
			true},
		{"two rows", row("postgres://db.example.com/hew", "a"), row("postgres://db.example.com/hew", "b"), false},
		{"two databases", row("postgres://db.example.com/hew", "a"), row("postgres://db.example.com/wed", "a"), false},
		{"a file and an address", in("l.json"), web("https://git.example.com/l.json", ""), false},
		{"what is not kept", Memory(), Memory(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.same, SameStorage(c.a, c.b))
			require.Equal(t, c.same, SameStorage(c.b, c.a))
		})
	}
}
