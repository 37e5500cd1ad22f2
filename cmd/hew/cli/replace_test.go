package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Commands that write a file replace it as a whole, so the old one stays if they fail. A second
// name of the old file shows that: it keeps the content. The permissions stay.
func TestFilesAreReplaced(t *testing.T) {
	t.Parallel()
	const old = "locals {\na=1\n}\n"
	for args, name := range map[string]string{
		"fmt":                   "main.hcl",
		"fmt sub":               "sub/main.hcl",
		"docs -out=sub":         "sub/commands.md",
		"ledger pull -o=l.json": "l.json",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file, twin := filepath.Join(dir, name), filepath.Join(dir, "twin")
			require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(old), 0o600))
			require.NoError(t, os.WriteFile(file, []byte(old), 0o600))
			require.NoError(t, os.Chmod(file, 0o666)) // more than the usual umask
			require.NoError(t, os.Link(file, twin))
			var out bytes.Buffer
			code := Run(t.Context(), "dev", Process{Args: append([]string{"-chdir=" + dir}, strings.Fields(args)...),
				In: strings.NewReader(""), Out: &out, Err: &out})
			require.Zero(t, code, out.String())
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NotEqual(t, old, string(content))
			before, err := os.ReadFile(twin)
			require.NoError(t, err)
			require.Equal(t, old, string(before))
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o666), info.Mode())
		})
	}
}
