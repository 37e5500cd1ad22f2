package testacc

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// githubJob is a job of what GitHub reads.
type githubJob struct {
	If          string
	Environment string
	Permissions map[string]string
	Concurrency struct {
		Group  string
		Cancel bool `yaml:"cancel-in-progress"`
	}
	Env   map[string]string
	Steps []struct {
		Name, Uses, Run string
		Env             map[string]string
	}
}

// gh stands for GitHub's own program: it keeps what it is asked to write in a directory, and finds there what it is asked for.
const gh = `#!/bin/sh
case "$1 $2" in
  "pr comment") [ ! -e "$GH_DIR/comment-$3.md" ] && cp "$5" "$GH_DIR/comment-$3.md" ;;
  "api repos/acme/infra/issues/$PULL_REQUEST/comments") [ ! -e "$GH_DIR/comment-$PULL_REQUEST.md" ] || echo "$PULL_REQUEST" ;;
  "api -X") cp "${6#body=@}" "$GH_DIR/comment-${4##*/}.md" ;;
  "api repos/acme/infra/commits/$GITHUB_SHA/pulls") cat "$GH_DIR/head-$GITHUB_SHA" 2>/dev/null || true ;;
  "run list") echo 1 ;;
  "run download") cp "$GH_DIR/plan.json" . ;;
  *) echo "gh: $*" >&2; exit 1 ;;
esac
`

// TestPipelineOfGitHub runs the jobs of examples/ci/github-actions.yml as they stand there, but for those that fetch hew.
func TestPipelineOfGitHub(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(pipelines + "github-actions.yml")
	require.NoError(t, err)
	var file struct {
		On   map[string]any
		Env  map[string]string
		Jobs map[string]githubJob
	}
	require.NoError(t, yaml.Unmarshal(text, &file))
	require.ElementsMatch(t, []string{"pull_request", "push", "schedule"}, slices.Collect(maps.Keys(file.On)))
	for name, event := range map[string]string{"plan": "pull_request", "apply": "push", "drift": "schedule"} {
		require.Equal(t, "github.event_name == '"+event+"'", file.Jobs[name].If)
	}
	require.Equal(t, "hew", file.Jobs["apply"].Concurrency.Group)
	require.False(t, file.Jobs["apply"].Concurrency.Cancel)
	require.NotEmpty(t, file.Jobs["apply"].Environment)
	for name, token := range map[string]string{"plan": "PLAN", "drift": "PLAN", "apply": "APPLY"} {
		require.Equal(t, "${{ secrets.HEW_"+token+"_TOKEN }}", file.Jobs[name].Env["HEW_TOKEN"], "only what applies may write")
	}
	require.Equal(t, "write", file.Jobs["plan"].Permissions["security-events"])

	r := newRunner(t)
	require.NoError(t, os.WriteFile(filepath.Join(r.tools, "gh"), []byte(gh), 0o755))
	do := func(name string, more map[string]string) (code int, log string) {
		given := map[string]string{"github.token": "of-the-job", "github.event.pull_request.number": more["iid"], "secrets.HOOK_TOKEN": r.project["HEW_VAR_hook_token"]}
		env := map[string]string{"GITHUB_SHA": more["commit"], "GITHUB_REPOSITORY": "acme/infra", "GITHUB_REF_NAME": "main", "GH_DIR": r.tools,
			"GITHUB_STEP_SUMMARY": filepath.Join(r.tools, "summary.md"), "GITHUB_PATH": filepath.Join(r.tools, "path"), "RUNNER_TEMP": r.tools}
		for name, value := range r.project {
			given["vars."+name], given["secrets."+name] = value, value
		}
		enter := func(variables map[string]string) {
			for name, value := range variables {
				env[name] = filled(value, given)
			}
		}
		enter(file.Env)
		enter(file.Jobs[name].Env)
		for _, step := range file.Jobs[name].Steps {
			if step.Run == "" || step.Name == "Install hew" {
				continue
			}
			enter(step.Env)
			said := ""
			code, said = r.run(filled(step.Run, given), env)
			if log += said; code != 0 {
				break
			}
		}
		return code, log
	}
	r.tellPipeline(do, func(commit string, iid int) {
		require.NoError(t, os.WriteFile(filepath.Join(r.tools, "head-"+commit), []byte("head"), 0o600))
		content, err := os.ReadFile(filepath.Join(r.dir, "plan.json"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(r.tools, "plan.json"), content, 0o600))
	})
	for iid, says := range map[string]string{"12": "3 to create", "14": "There is no plan"} {
		comment, err := os.ReadFile(filepath.Join(r.tools, "comment-"+iid+".md"))
		require.NoError(t, err)
		require.Contains(t, string(comment), says)
	}
}

// filled fills in what GitHub does: ${{ NAME }}.
func filled(text string, given map[string]string) string {
	for name, value := range given {
		text = strings.ReplaceAll(text, "${{ "+name+" }}", value)
	}
	return text
}
