package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestManualIsCurrent compares the page in the repository with what it would be now, wherever it is
// made.
func TestManualIsCurrent(t *testing.T) {
	t.Parallel()
	there, err := os.ReadFile("man/hewd.8")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "hewd.8")
	env := map[string]string{"HEWD_LISTEN": ":1", "HEWD_SECRET_KEY": "hush"}
	out, err := run(env, "man")
	require.NoError(t, err)
	require.Equal(t, out, string(there), "it is stale: run make generate")
	_, err = run(env, "man", "-out", file)
	require.NoError(t, err)
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, out, string(written))
}

// TestVariablesAreTold: whatever a flag of any command takes from the environment is in the
// manual's list, and in the page about hewd.
func TestVariablesAreTold(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../cmd/hew/reference/guides/hewd.md")
	require.NoError(t, err)
	hewd := newRoot(func(string) string { return "" })
	told := map[string]bool{}
	for name := range variables(hewd) {
		told[name] = true
	}
	require.True(t, told[notifySocket])
	for _, cmd := range documentedCommands(hewd) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for _, name := range f.Annotations[fromEnvironment] {
				require.True(t, told[name], "%s of %s", name, cmd.CommandPath())
				require.Contains(t, string(readme), "`"+name+"`")
			}
		})
	}
}
