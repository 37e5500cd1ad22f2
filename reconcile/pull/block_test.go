package pull

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSingleLine keeps text of the host on one line, and printable.
func TestSingleLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a } b é c \ufffd[2J d\ufffde", singleLine(" a\n}\r\n b é\tc \x1b[2J d\u202ee\u2028"))
}
