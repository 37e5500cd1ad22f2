package testacc

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/testacc/notes"
)

// TestComment has the built hew tell merge requests of a plan: each has one note, after several
// runs, and after several that run at once. Nothing else is written on the host of the repository,
// and nothing at all on the one that is managed.
func TestComment(t *testing.T) {
	t.Parallel()
	server, f, dir := servertest.Start(t), newForge(t), t.TempDir()
	proxy := newProxy(t, server)
	require.NoError(
		t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(`resource "group" "noted" { path = "noted" }`), 0o600),
	)
	plan := func(iid int, args ...string) {
		cmd := exec.Command(filepath.Join(bin, "hew"), append([]string{"plan", "-comment"}, args...)...)
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + dir, "HEW_URL=" + proxy.URL, "HEW_TOKEN=" + server.RootToken,
			"HEW_COMMENT_TOKEN=" + f.Token, "CI_API_V4_URL=" + f.URL + "/api/v4",
			"CI_PROJECT_ID=4", "CI_MERGE_REQUEST_PROJECT_ID=5", fmt.Sprint("CI_MERGE_REQUEST_IID=", iid),
			"HEW_LOG=debug"}
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		require.NoError(t, cmd.Run(), "%s", &said)
		for _, token := range []string{f.Token, server.RootToken} {
			require.NotContains(t, said.String(), token)
		}
	}
	f.Add(12, notes.Person, "Please plan.")
	plan(12)
	plan(12, "-json", "-o=plan.json")
	require.Len(t, f.said(12), 1)
	require.Contains(t, f.said(12)[0], "1 to create")
	require.Len(t, f.On(12, 0), 2)

	const runs = 4
	f.Meet(runs)
	var wait sync.WaitGroup
	for range runs {
		wait.Go(func() { plan(13) })
	}
	wait.Wait()
	require.Len(t, f.said(13), 1)

	for _, asked := range f.Asked() {
		method, path, _ := strings.Cut(asked, " ")
		require.True(t, method == "GET" || strings.HasPrefix(path, "/api/v4/projects/5/merge_requests/1") &&
			strings.Contains(path, "/notes"), asked)
	}
	for _, r := range proxy.requests() {
		require.False(t, r.writes(), r)
	}
}
