package testacc

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// TestMove does what examples/move says: a group goes from one hewd to another by export and
// import, and after that one configuration plans nothing on either of them.
func TestMove(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("examples/move takes " + tool + ", which is not installed")
		}
	}
	const example = "../examples/move/"
	text, err := os.ReadFile(example + "main.hcl")
	require.NoError(t, err)
	from, to := servertest.Fresh(t), servertest.Fresh(t)
	hew := func(of *servertest.Server, dir string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "hew"), args...)
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + dir, "HEW_URL=" + strings.TrimSuffix(of.URL, prefix), "HEW_TOKEN=" + of.RootToken,
			"HEW_VAR_hook_token=the-token-of-the-hook"}
		said, err := cmd.CombinedOutput()
		require.NoError(t, err, "hew %s\n%s", args, said)
		return string(said)
	}
	old, fresh := t.TempDir(), t.TempDir()
	for _, dir := range []string{old, fresh} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), text, 0o600))
	}
	hew(from, old, "apply", "-auto-approve")
	from.Do(t, from.RootToken, "POST", "/projects/umbrella%2Fshop/issues",
		map[string]any{"title": "It hangs", "labels": "bug", "description": "At the till."})
	from.Do(t, from.RootToken, "POST", "/projects/umbrella%2Fshop/repository/files/README.md",
		map[string]any{"branch": "main", "content": "# Shop\n", "commit_message": "Begin"})

	hew(to, fresh, "apply", "-auto-approve", "-target=group.company")
	move := func() string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "bash", example+"move", "umbrella")
		cmd.Env = append(os.Environ(), "FROM_URL="+strings.TrimSuffix(from.URL, prefix), "FROM_TOKEN="+from.RootToken,
			"TO_URL="+strings.TrimSuffix(to.URL, prefix), "TO_TOKEN="+to.RootToken)
		said, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", said)
		return string(said)
	}
	said := move()
	for _, project := range []string{"umbrella/billing", "umbrella/shop"} {
		require.Contains(t, said, project+" is moved\n")
	}
	require.Contains(t, move(), "umbrella/shop is there already (import: finished)\n")

	said = hew(to, fresh, "apply", "-auto-approve")
	require.Contains(t, said, "project_hook.deploy", "archives hold no hooks")
	for _, kind := range []string{"project", "project_label", "project_milestone"} {
		require.NotRegexp(t, `(?m)^\s*[-+~] `+kind+`\.`, said, "archives bring it")
	}
	hew(to, fresh, "plan", "-detailed-exitcode")
	hew(from, old, "plan", "-detailed-exitcode")

	var issues []struct {
		IID    int64
		Title  string
		Labels []string
	}
	to.Do(t, to.RootToken, "GET", "/projects/umbrella%2Fshop/issues", nil).Into(t, &issues)
	require.Len(t, issues, 1)
	require.Equal(t, "It hangs", issues[0].Title)
	require.Equal(t, []string{"bug"}, issues[0].Labels)
	r := to.Do(t, to.RootToken, "GET", "/projects/umbrella%2Fshop/repository/files/README.md/raw?ref=main", nil)
	require.Equal(t, "# Shop\n", string(r.Body))
}
