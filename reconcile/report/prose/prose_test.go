package prose

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestColumns: how much room texts of all scripts take.
func TestColumns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "abc": 3, "größe": 5, "gro\u0308ße": 5, "平台": 4, "ﾌﾟ": 2, "Ａ": 2,
		"🎉": 2, "한국": 4, "ไทย": 3, "กี่": 1, "→…": 2} {
		require.Equal(t, want, Columns(text), text)
	}
}

// TestPasted: what people copy into a shell arrives as it is.
func TestPasted(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"out": "out", "/tmp/out-1.2": "/tmp/out-1.2", "my dir": "'my dir'", "it's": `'it'\''s'`, "$HOME": "'$HOME'",
		"": "''", "a;b": "'a;b'",
	} {
		require.Equal(t, want, Pasted(word))
	}
}
