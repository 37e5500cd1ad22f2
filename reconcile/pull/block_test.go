package pull

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestComments: what hosts say stays within its line, and prints.
func TestComments(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a } b é c \ufffd[2J d\ufffde", oneLine(" a\n}\r\n b é\tc \x1b[2J d\u202ee\u2028"))
}
