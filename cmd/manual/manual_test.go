package manual

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every line of a page is a macro that Page writes, or text in which every special character is
// escaped.
var (
	macroLine = regexp.MustCompile(`^\.(TH|SH|SS|PP|TP|br|nf|fi)( "([^"\\]|\\.)*")*$`)
	textLine  = regexp.MustCompile(`^([ !#-&(-\[\]_a-z{|}]|\\(e|-|&|f[BIR]|\([a-z]{2}|\[u[0-9A-F]{4,6}\]))*$`)
)

func requireWellFormed(t *testing.T, page, name string) {
	t.Helper()
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, ".") {
			require.Regexp(t, macroLine, line, name)
		} else {
			require.Regexp(t, textLine, line, name)
		}
	}
}

// TestPagesAreWellFormed checks the committed pages of both programs.
func TestPagesAreWellFormed(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../*/man/*")
	require.NoError(t, err)
	require.Greater(t, len(pages), 20)
	for _, name := range pages {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		requireWellFormed(t, string(text), name)
	}
}

// TestPage writes text that looks like macros and escapes.
func TestPage(t *testing.T) {
	t.Parallel()
	var p Page
	p.Title("x-y", "1", "x")
	p.List("NOTHING", maps.All(map[string]string{}))
	p.List("OPTIONS", maps.All(map[string]string{"-o=FILE": `.hidden "\n" – it's ~`}))
	p.Help("One\nflow.\n\n  kept  as\n  it is\n\nAnother.\n")
	require.Equal(t, `.TH "X\-Y" "1" "" "x" "Manual of x"
.SH "OPTIONS"
.TP
\fB\-o\fR=\fIFILE\fR
\&.hidden \(dq\en\(dq \[u2013] it\(aqs \(ti
One flow.
.PP
.nf
  kept  as
  it is
.fi
.PP
Another.
`, p.String())
	requireWellFormed(t, p.String(), "the page")
}
