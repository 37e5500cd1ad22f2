package ledger

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// backends calls test with every backend. reopen returns the backend as the next run opens it, with
// the given digest key.
func backends(t *testing.T, test func(t *testing.T, reopen func(key string) Backend)) {
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "ledger.json")
		test(t, func(key string) Backend { return File(path, key) })
	})
	t.Run("http", func(t *testing.T) {
		where := newStates(t).URL + "/a"
		test(t, func(key string) Backend {
			b, err := HTTP(HTTPConfig{Address: where, LockAddress: where + "/lock", Key: key})
			require.NoError(t, err)
			return b
		})
	})
	t.Run("postgres", func(t *testing.T) {
		url := servertest.URL(t)
		test(t, func(key string) Backend {
			b, err := Postgres(PostgresConfig{URL: url, Key: key})
			require.NoError(t, err)
			return b
		})
	})
	t.Run("memory", func(t *testing.T) {
		m := Memory().(*memoryBackend)
		test(t, func(key string) Backend {
			k, err := NewKey(key)
			require.NoError(t, err)
			m.key = k
			return m
		})
	})
}

func TestOpenChecksHostAndKey(t *testing.T) {
	const otherKey = testKey + "2"
	backends(t, func(t *testing.T, reopen func(string) Backend) {
		b := reopen(testKey)
		_, d, err := Open(t.Context(), b, "https://a.example/")
		require.NoError(t, err)
		first := delta(1)
		first.Entry.Owned = map[string]Digest{"url": d.Plain("u"), "token": d.Secret("t")}
		require.NoError(t, b.Append(t.Context(), first, delta(2)))

		l, again, err := Open(t.Context(), reopen(testKey), "https://a.example")
		require.NoError(t, err)
		require.Equal(t, "https://a.example", l.Host)
		require.True(t, again.Matches(l.Entries[first.Addr].Owned["token"], "t"))

		var wrongHost *HostError
		_, _, err = Open(t.Context(), reopen(testKey), "https://b.example")
		require.ErrorAs(t, err, &wrongHost)
		require.Equal(t, HostError{Ledger: "https://a.example", Run: "https://b.example"}, *wrongHost)
		require.ErrorContains(t, err, "hew ledger rebind")

		var wrongKey *KeyError
		_, _, err = Open(t.Context(), reopen(otherKey), "https://a.example")
		require.ErrorAs(t, err, &wrongKey)
		require.False(t, wrongKey.Missing)
		require.ErrorContains(t, err, "HEW_LEDGER_KEY")

		forgotten, err := Rebind(t.Context(), reopen(testKey), "https://b.example/")
		require.NoError(t, err)
		require.Zero(t, forgotten)
		forgotten, err = Rebind(t.Context(), reopen(otherKey), "https://b.example")
		require.NoError(t, err)
		require.Equal(t, 1, forgotten)

		l, d, err = Open(t.Context(), reopen(otherKey), "https://b.example")
		require.NoError(t, err)
		require.Len(t, l.Entries, 2)
		require.Equal(t,
			map[string]Digest{"url": d.Plain("u")},
			l.Entries[first.Addr].Owned,
			"plain digests outlive the key",
		)
	})
}

func TestOpenWithoutTheKeyFile(t *testing.T) {
	b := opened(t, 0)
	_, d, err := Open(t.Context(), b, host)
	require.NoError(t, err)
	d.Secret("t")
	require.NoError(t, b.Append(t.Context(), delta(1)))

	var missing *KeyError
	_, _, err = Open(t.Context(), File(b.path, ""), host)
	require.ErrorAs(t, err, &missing)
	require.True(t, missing.Missing)
	require.NoFileExists(t, filepath.Join(filepath.Dir(b.path), KeyName), "a wrong key is not made up")

	_, err = Rebind(t.Context(), File(b.path, ""), host)
	require.NoError(t, err)
	l, _, err := Open(t.Context(), File(b.path, ""), host)
	require.NoError(t, err)
	require.Empty(t, l.KeyFingerprint)
}
