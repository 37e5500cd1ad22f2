package cli

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWebNeedsAFile: a page is nothing for a terminal.
func TestWebNeedsAFile(t *testing.T) {
	t.Parallel()
	a := &app{out: io.Discard, tty: func(any) bool { return true }}
	f := rendering{format: "html"}
	require.ErrorContains(t, f.check(a), "-format=html -o=report.html")
	f.file = "report.html"
	require.NoError(t, f.check(a))
}
