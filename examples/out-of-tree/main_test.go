package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program is built as its reader would build it, knows its kind, and checks configuration that
// declares one.
func TestProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bin := filepath.Join(dir, "hew-wiki.exe")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := func(args ...string) string {
		var both bytes.Buffer
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &both, &both
		require.NoError(t, cmd.Run(), "%s", &both)
		return both.String()
	}
	require.Contains(t, run("schema", "wiki_page"), `"description": "The title of the page."`)
	require.Contains(t, run("docs", "wiki_page"), example)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(example), 0o600))
	require.Contains(t, run("validate"), "valid")
}
