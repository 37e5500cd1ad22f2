package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDigest digests any two texts: each digest matches its own text only, and any other text
// matches nothing.
func FuzzDigest(f *testing.F) {
	f.Add("lineage", `"internal"`, `"private"`, "p:wPaZkoiZ0EFFDIQexbl4CQ")
	f.Add("a", "b\x00c", "c", "s:")
	f.Add("a\x00b", "c", "b\x00c", "p:")
	key, err := NewKey(testKey)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, lineage, x, y, stranger string) {
		d := NewDigester(lineage, key)
		plain, secret := d.Plain(x), d.Secret(x)
		require.True(t, d.Matches(plain, x) && d.Matches(secret, x))
		require.Equal(t, x == y, d.Matches(plain, y))
		require.Equal(t, x == y, d.Matches(secret, y))
		require.NotEqual(t, plain, secret)
		if s := Digest(stranger); s != plain && s != secret {
			require.False(t, d.Matches(s, x))
		}
	})
}
