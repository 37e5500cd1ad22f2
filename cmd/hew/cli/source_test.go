package cli

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/cmd/hew/session"
	"hew/cmd/hew/view"
	"hew/cmd/hew/workdir"
)

// TestSource: what the variables of CI jobs tell of an answer, and nothing where there are none.
func TestSource(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 11, 29, 1, 27, 0, 0, time.FixedZone("", 3600)) }
	const commit = "0123456789abcdef0123456789abcdef01234567"
	at := func(env map[string]string) view.Source {
		return (&app{Env: session.Env{Environ: env, Dir: workdir.Dir(t.TempDir())}, now: now}).source(rendering{})
	}
	require.Equal(t, view.Source{Time: "2026-11-29 00:27 UTC"}, at(nil))
	require.Equal(t, view.Source{},
		(&app{Env: session.Env{Dir: workdir.Dir(t.TempDir())}, now: now}).source(rendering{saved: true}))
	require.Equal(t, view.Source{
		Time: "2026-11-29 00:27 UTC", Files: "https://git.example.com/me/fork/-/blob/" + commit + "/",
		Commit:       view.Link{Text: "commit 0123456789ab", URL: "https://git.example.com/me/fork/-/commit/" + commit},
		MergeRequest: view.Link{Text: "!12", URL: "https://git.example.com/acme/infra/-/merge_requests/12"},
		Pipeline:     view.Link{Text: "pipeline 345", URL: "https://git.example.com/me/fork/-/pipelines/345"},
		Job:          view.Link{Text: "job plan", URL: "https://git.example.com/me/fork/-/jobs/6"},
	}, at(map[string]string{"CI_PROJECT_URL": "https://git.example.com/me/fork", "CI_COMMIT_SHA": commit,
		"CI_MERGE_REQUEST_IID":         "12",
		"CI_MERGE_REQUEST_PROJECT_URL": "https://git.example.com/acme/infra", "CI_PIPELINE_ID": "345",
		"CI_JOB_NAME": "plan",
		"CI_JOB_URL":  "https://git.example.com/me/fork/-/jobs/6"}))
	require.Equal(t, view.Source{
		Time: "2026-11-29 00:27 UTC", Files: "https://github.com/acme/infra/blob/" + commit + "/",
		Commit:       view.Link{Text: "commit 0123456789ab", URL: "https://github.com/acme/infra/commit/" + commit},
		MergeRequest: view.Link{Text: "#12", URL: "https://github.com/acme/infra/pull/12"},
		Pipeline:     view.Link{Text: "run 9", URL: "https://github.com/acme/infra/actions/runs/9"},
		Job:          view.Link{Text: "job plan"},
	}, at(map[string]string{"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "acme/infra",
		"GITHUB_SHA": commit,
		"GITHUB_REF": "refs/pull/12/merge", "GITHUB_RUN_ID": "9", "GITHUB_JOB": "plan"}))
}

// TestDirectoryInRepository: links need the directory of the configuration in its repository. It is
// unknown outside of any, and a saved report has its own.
func TestDirectoryInRepository(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	at := func(dir string, env map[string]string) *app {
		return &app{Env: session.Env{Environ: env, Dir: workdir.Dir(filepath.Join(top, dir))}, now: time.Now}
	}
	for name, c := range map[string]struct {
		dir, variable, want string
	}{
		"below the checkout of GitLab": {"live/prod", "CI_PROJECT_DIR", "live/prod"},
		"below the checkout of GitHub": {"live/prod", "GITHUB_WORKSPACE", "live/prod"},
		"at the top":                   {".", "GITHUB_WORKSPACE", "."},
		"above the checkout":           {"..", "GITHUB_WORKSPACE", ""},
		"outside of any repository":    {"live", "HOME", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := at(c.dir, map[string]string{c.variable: top})
			require.Equal(t, c.want, a.source(rendering{}).Directory)
			require.Empty(t, a.source(rendering{saved: true}).Directory)
		})
	}
}
