package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChecksum: the checksum does not depend on the layout of a document, but on everything else.
func TestChecksum(t *testing.T) {
	t.Parallel()
	sum := func(document string) string {
		s, err := checksum([]byte(document))
		require.NoError(t, err)
		return s
	}
	of := sum(`{"a": 1.0, "later": {"b": "<é>", "c": [null]}, "checksum": "x"}`)
	require.Equal(t, of, sum("{\"later\":{\"c\":[ null ],\"b\":\"\\u003c\\u00e9>\"},\n\"a\":1.0}"))
	for _, other := range []string{`{"a": 1, "later": {"b": "<é>", "c": [null]}}`,
		`{"a": 1.0, "later": {"b": "<e>", "c": [null]}}`, `{"a": 1.0, "later": {"b": "<é>", "c": []}}`,
		`{"a": 1.0, "later": {"b": "<é>", "c": [null], "checksum": "x"}}`} {
		require.NotEqual(t, of, sum(other))
	}
}
