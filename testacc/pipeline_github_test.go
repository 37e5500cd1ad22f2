package testacc

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	Steps []githubStep
}

type githubStep struct {
	Name, Uses, Run string
	With, Env       map[string]string
}

// gh stands for GitHub's own program: it keeps what it is asked to write in a directory, and finds
// there what it is asked for.
const gh = `#!/bin/sh
case "$1 $2" in
  "pr comment") [ ! -e "$GH_DIR/comment-$3.md" ] && cp "$5" "$GH_DIR/comment-$3.md" ;;
  "api repos/acme/infra/issues/$PULL_REQUEST/comments") [ ! -e "$GH_DIR/comment-$PULL_REQUEST.md" ] || jq -n --arg id "$PULL_REQUEST" \
    --rawfile body "$GH_DIR/comment-$PULL_REQUEST.md" '[{id: 1, user: {login: "somebody"}, body: $body}, {id: $id, user: {login: "github-actions[bot]"}, body: $body}]' | jq -r "$5" ;;
  "api -X") cp "${6#body=@}" "$GH_DIR/comment-${4##*/}.md" ;;
  "api repos/acme/infra/commits/$GITHUB_SHA/pulls") cat "$GH_DIR/head-$GITHUB_SHA" 2>/dev/null || true ;;
  "run list") echo 1 ;;
  "run download") cp "$GH_DIR/plan.json" . ;;
  *) echo "gh: $*" >&2; exit 1 ;;
esac
`

// githubFile is a workflow, as far as it is looked at here.
type githubFile struct {
	On          map[string]any
	Permissions map[string]string
	Env         map[string]string
	Jobs        map[string]githubJob
}

func readGitHub(t *testing.T) (text string, file githubFile) {
	t.Helper()
	content, err := os.ReadFile(pipelines + "github-actions.yml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(content, &file))
	return string(content), file
}

// TestGitHubTrustsLittle: what is not ours is pinned and sees no secret, and every job may do what
// it has to and no more.
func TestGitHubTrustsLittle(t *testing.T) {
	t.Parallel()
	text, file := readGitHub(t)
	for _, uses := range regexp.MustCompile(`(?m)^.*\buses:.*$`).FindAllString(text, -1) {
		require.Regexp(t, `uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`, uses)
	}
	require.NotContains(t, text, "<<:", "GitHub has anchors, and no merge keys")
	require.Empty(t, file.Permissions)
	require.NotContains(t, fmt.Sprint(file.Env), "secrets.", "actions would see it")
	may := map[string]map[string]string{
		"plan":  {"contents": "read", "pull-requests": "write", "security-events": "write", "actions": "read"},
		"apply": {"contents": "read", "pull-requests": "read", "actions": "read"},
		"drift": {"contents": "read"},
	}
	require.Len(t, file.Jobs, len(may))
	for name, job := range file.Jobs {
		require.Equal(t, may[name], job.Permissions, name)
		require.NotContains(t, fmt.Sprint(job.Env), "secrets.", "actions would see it")
		for _, step := range job.Steps {
			if step.Uses != "" {
				require.NotContains(t, fmt.Sprint(step.With, step.Env), "secrets.", step.Uses)
			}
			if strings.HasPrefix(step.Uses, "actions/checkout@") {
				require.Equal(t, "false", step.With["persist-credentials"])
			}
		}
	}
}

// release is an archive as .ci/dist makes them, of a program that runs ours; and its checksum.
func release(t *testing.T) (url, sum string) {
	t.Helper()
	const folder = "hew_1.2.3_linux_amd64"
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o755))
	program := "#!/bin/sh\nexec " + filepath.Join(bin, "hew") + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, folder, "hew"), []byte(program), 0o755))
	archive := filepath.Join(dir, folder+".tar.gz")
	said, err := exec.Command("tar", "-C", dir, "-czf", archive, folder).CombinedOutput()
	require.NoError(t, err, "%s", said)
	content, err := os.ReadFile(archive)
	require.NoError(t, err)
	return "file://" + archive, fmt.Sprintf("%x", sha256.Sum256(content))
}

// TestPipelineOfGitHub runs the jobs of examples/ci/github-actions.yml as they stand there.
func TestPipelineOfGitHub(t *testing.T) {
	t.Parallel()
	_, file := readGitHub(t)
	require.ElementsMatch(t, []string{"pull_request", "push", "schedule"}, slices.Collect(maps.Keys(file.On)))
	for name, event := range map[string]string{"plan": "pull_request", "apply": "push", "drift": "schedule"} {
		require.Equal(t, "github.event_name == '"+event+"'", file.Jobs[name].If)
	}
	require.Equal(t, "hew", file.Jobs["apply"].Concurrency.Group)
	require.False(t, file.Jobs["apply"].Concurrency.Cancel)
	require.NotEmpty(t, file.Jobs["apply"].Environment)
	for name, token := range map[string]string{"plan": "PLAN", "drift": "PLAN", "apply": "APPLY"} {
		for _, step := range file.Jobs[name].Steps {
			if given, ok := step.Env["HEW_TOKEN"]; ok {
				require.Equal(t, "${{ secrets.HEW_"+token+"_TOKEN }}", given, "only what applies may write")
			}
		}
	}

	r := newRepository(t)
	require.NoError(t, os.WriteFile(filepath.Join(r.tools, "gh"), []byte(gh), 0o755))
	r.project["HEW_DOWNLOAD"], r.project["HEW_DOWNLOAD_SHA256"] = release(t)
	do := func(name string, more map[string]string) (code int, log string) {
		given := map[string]string{"github.token": "of-the-job", "github.event.pull_request.number": more["iid"],
			"secrets.HOOK_TOKEN": r.project["HEW_VAR_hook_token"]}
		env := map[string]string{"GITHUB_SHA": more["commit"], "GITHUB_RUN_NUMBER": cmp.Or(more["run"], "10"),
			"GITHUB_REPOSITORY": "acme/infra", "GITHUB_REF_NAME": "main", "GH_DIR": r.tools,
			"GITHUB_STEP_SUMMARY": filepath.Join(r.tools, "summary.md"), "GITHUB_PATH": filepath.Join(r.tools, "path"),
			"RUNNER_TEMP": r.tools}
		for name, value := range r.project {
			given["vars."+name], given["secrets."+name] = value, value
		}
		enter := func(env, variables map[string]string) {
			for name, value := range variables {
				env[name] = filled(value, given)
			}
		}
		enter(env, file.Env)
		enter(env, file.Jobs[name].Env)
		for _, step := range file.Jobs[name].Steps {
			if step.Run == "" {
				continue
			}
			own := maps.Clone(env)
			enter(own, step.Env)
			said := ""
			code, said = r.run(filled(step.Run, given), own)
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
	code, log := do("plan", map[string]string{"iid": "14", "run": "9"}) // somebody runs an earlier one anew
	require.Equal(t, 1, code, log)
	require.Contains(t, log, "it is of run 10, which is newer than this one, 9.")
	require.FileExists(t, filepath.Join(r.tools, "hew"), "what was installed is what ran")
	for iid, says := range map[string]string{"12": "3 to create", "14": "There is no plan"} {
		comment, err := os.ReadFile(filepath.Join(r.tools, "comment-"+iid+".md"))
		require.NoError(t, err)
		require.Contains(t, string(comment), says)
		require.True(t, strings.HasSuffix(string(comment), "\n<!-- run 10 -->\n"))
	}
}

// filled fills in what GitHub does: ${{ NAME }}.
func filled(text string, given map[string]string) string {
	for name, value := range given {
		text = strings.ReplaceAll(text, "${{ "+name+" }}", value)
	}
	return text
}
