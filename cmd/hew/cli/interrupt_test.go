package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An interrupt ends every command that evaluates the configuration, even within an expression.
func TestInterruptedEvaluation(t *testing.T) {
	t.Parallel()
	const slow = "length([for a in range(16) : length([for b in range(1024) : " +
		"length([for c in range(1024) : c])])])"
	for args, src := range map[string]string{
		"validate":         "locals {\n  n = " + slow + "\n}\n",
		"graph":            "locals {\n  n = " + slow + "\n}\n",
		"console -offline": "locals {\n  n = " + slow + "\n}\n",
		"output":           "output \"n\" {\n  value = " + slow + "\n}\n",
		"plan":             "hew {\n  guards {\n    max_deletes = " + slow + "\n  }\n}\n",
		"ledger list":      "hew {\n  guards {\n    max_deletes = " + slow + "\n  }\n}\n",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(src), 0o600))
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			var out, err bytes.Buffer
			code := Run(ctx, "dev", Process{
				Args: append([]string{"-chdir=" + dir}, strings.Fields(args)...), In: strings.NewReader(""),
				Out: &out, Err: &err, Environ: []string{"HEW_URL=http://127.0.0.1:1", "HEW_TOKEN=t"},
			})
			require.Equal(t, 1, code)
			if args != "graph" { // which draws what it knows
				require.Contains(t, err.String(), "Error: Interrupted")
			}
		})
	}
}
