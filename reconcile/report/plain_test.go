package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report/reporttest"
)

// TestNothingInJSONMovesACursor: a document has no control characters for terminals, and reading
// restores them.
func TestNothingInJSONMovesACursor(t *testing.T) {
	t.Parallel()
	const hostile = "a\x1b[2J\u009b2J\u202e\u200b\U000e0041é漢🎉\n\t<&>"
	var b bytes.Buffer
	require.NoError(t, WriteJSON(&b, map[string]string{hostile: hostile}))
	reporttest.Harmless(t, b.String())
	require.Contains(t, b.String(), "é漢🎉")
	read := map[string]string{}
	require.NoError(t, json.Unmarshal(b.Bytes(), &read))
	require.Equal(t, map[string]string{hostile: hostile}, read)
}
