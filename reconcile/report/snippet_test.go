package report

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/reconcile/report/prose"
)

// TestLongLines: only the marked part of a very long line is shown.
func TestLongLines(t *testing.T) {
	t.Parallel()
	line := `{"group": {"a": {"名": "` + strings.Repeat("字", 200) + `", "oops": 1, "b": "` + strings.Repeat("y", 300) +
		`"}}}`
	at := strings.Index(line, `"oops"`)
	s := Sources{"main.hcl.json": {Bytes: []byte(line)}}
	for _, from := range []int{0, at, len(line) - 2} {
		lines := s.snippet(&hcl.Range{Filename: "main.hcl.json", Start: hcl.Pos{Line: 1, Byte: from},
			End: hcl.Pos{Line: 1, Byte: min(from+6, len(line))}})
		require.Len(t, lines, 1)
		require.LessOrEqual(t, prose.Columns(lines[0].Code), snippetWidth)
		marked := strings.Index(lines[0].Marks, "^")
		wide := 0
		for i, r := range lines[0].Code {
			if wide == marked {
				require.True(t, strings.HasPrefix(lines[0].Code[i:], line[from:min(from+6, len(line))]), lines[0])
			}
			wide += prose.Columns(string(r))
		}
	}
}
