package testacc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"hew/server/servertest"
)

const pipelines = "../examples/ci/"

// runner is what runs the jobs of a pipeline: in a checkout, with the environment that the host gives them.
type runner struct {
	*testing.T
	server      *servertest.Server
	forge       *forge
	dir, tools  string
	secrets     []string          // that no log may have
	project     map[string]string // variables of the project
	ledger, ops string            // projects on the managed host
}

// newRunner sets up a host that is managed, one that has the repository, and what a team sets up by hand.
func newRunner(t *testing.T) *runner {
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("pipelines take " + tool + ", which is not installed")
		}
	}
	r := &runner{T: t, server: servertest.Fresh(t), forge: newForge(t), dir: t.TempDir(), tools: t.TempDir()}
	files, err := filepath.Glob(pipelines + "*.hcl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, filepath.Base(file)), text, 0o600))
	}
	r.ledger = r.made("/projects", `{"name":"ledger","path":"ledger"}`)["id"]
	alerts := r.made("/projects/"+r.ledger+"/alert_integrations", `{"name":"Drift","active":true}`)
	reader := r.made("/users/1/personal_access_tokens", `{"name":"plan","scopes":["read_api"]}`)
	r.project = map[string]string{
		"HEW_URL": strings.TrimSuffix(r.server.URL, prefix), "HEW_PLAN_TOKEN": reader["token"], "HEW_APPLY_TOKEN": r.server.RootToken, "HEW_COMMENT_TOKEN": r.forge.token,
		"HEW_LEDGER_KEY": "a-key-that-all-of-the-jobs-share-0", "HEW_LEDGER_PROJECT": r.ledger, "HEW_VAR_hook_token": "the-token-of-the-hook",
		"HEW_ALERT_URL": alerts["url"], "HEW_ALERT_TOKEN": alerts["authorization_key"],
	}
	r.secrets = []string{reader["token"], r.server.RootToken, r.forge.token, "a-key-that-all-of-the-jobs-share-0", "the-token-of-the-hook", alerts["authorization_key"]}
	return r
}

// made creates something on the managed host, and returns what it answers, as texts.
func (r *runner) made(path, body string) map[string]string {
	reply := r.server.Do(r, r.server.RootToken, "POST", path, json.RawMessage(body))
	require.Equal(r, 2, reply.Status/100, "%s", reply.Body)
	var answer map[string]any
	reply.Into(r, &answer)
	texts := map[string]string{}
	for name, value := range answer {
		if n, ok := value.(float64); ok {
			value = int64(n)
		}
		texts[name] = fmt.Sprint(value)
	}
	return texts
}

// run runs a script as runners do, in an environment of its own, and returns the exit code and the log.
func (r *runner) run(script string, env map[string]string) (code int, log string) {
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" + strings.Join([]string{r.tools, bin, os.Getenv("PATH")}, string(filepath.ListSeparator)), "HOME=" + r.tools}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	_ = cmd.Run() // the code tells
	files, err := filepath.Glob(filepath.Join(r.dir, "*"))
	require.NoError(r, err)
	all := said.String() + strings.Join(r.forge.said(12), "")
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(r, err)
		all += string(text)
	}
	for _, secret := range r.secrets {
		require.NotContains(r, all, secret)
	}
	return cmd.ProcessState.ExitCode(), said.String()
}

// visibility tells how the group that the example declares is seen, "" if it is not there.
func (r *runner) visibility() string {
	var group struct{ Visibility string }
	if reply := r.server.Do(r, r.server.RootToken, "GET", "/groups/platform", nil); reply.Status == 200 {
		reply.Into(r, &group)
	}
	return group.Visibility
}

func (r *runner) setVisibility(to string) {
	reply := r.server.Do(r, r.server.RootToken, "PUT", "/groups/platform", json.RawMessage(`{"visibility":"`+to+`"}`))
	require.Equal(r, 200, reply.Status, "%s", reply.Body)
}

// edit changes the configuration.
func (r *runner) edit(from, to string) {
	file := filepath.Join(r.dir, "main.hcl")
	text, err := os.ReadFile(file)
	require.NoError(r, err)
	require.Contains(r, string(text), from)
	require.NoError(r, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), from, to)), 0o600))
}

// alerts are the states of all alerts that the nights have raised.
func (r *runner) alerts() (states []string) {
	var all []struct{ Status string }
	r.server.Do(r, r.server.RootToken, "GET", "/projects/"+r.ledger+"/alerts", nil).Into(r, &all)
	for _, a := range all {
		states = append(states, a.Status)
	}
	return states
}

// job does one of a pipeline.
type job func(name string, more map[string]string) (code int, log string)

// tellPipeline leads a repository through its life: a merge request, the merge, what moves in between, and the nights. merge
// has a commit be the one that a merge request came to main by, whose job plan ran last.
func (r *runner) tellPipeline(do job, merge func(commit string, iid int)) {
	code, log := do("plan", map[string]string{"iid": "12"})
	require.Zero(r, code, log)
	require.Contains(r, log, "Plan: 3 to create")
	require.Empty(r, r.visibility())

	code, log = do("apply", map[string]string{"commit": "pushed-by-hand"})
	require.Equal(r, 1, code, log)
	require.Contains(r, log, "nobody has reviewed what it would do")
	require.Empty(r, r.visibility())

	merge("the-merge-commit", 12)
	code, log = do("apply", map[string]string{"commit": "the-merge-commit"})
	require.Zero(r, code, log)
	require.Contains(r, log, "Done: 3 created")
	require.Equal(r, "private", r.visibility())

	code, log = do("apply", map[string]string{"commit": "the-merge-commit"})
	require.Equal(r, 1, code, log)
	require.Contains(r, log, "Plan has moved")

	code, log = do("drift", nil)
	require.Zero(r, code, log)
	require.Empty(r, r.alerts())
	r.setVisibility("internal")
	for range 2 {
		code, log = do("drift", nil)
		require.Equal(r, 2, code, log)
		require.Equal(r, []string{"triggered"}, r.alerts())
	}

	// The host moves between the review and the merge: nothing is done, and what moved is told.
	r.setVisibility("private")
	r.edit("What everybody calls", "What nobody calls")
	code, log = do("plan", map[string]string{"iid": "13"})
	require.Zero(r, code, log)
	r.setVisibility("internal")
	merge("squashed", 13)
	code, log = do("apply", map[string]string{"commit": "squashed"})
	require.Equal(r, 1, code, log)
	require.Contains(r, log, "group.platform: there was nothing to do, now it is to update")
	require.Equal(r, "internal", r.visibility())

	// A guard stops the plan, and the job that makes it.
	r.edit(`"private"`, `"public"`)
	code, log = do("plan", map[string]string{"iid": "14"})
	require.Equal(r, 1, code, log)
	require.Contains(r, log, "Guard: public")

	// So does a mistake; it is told all the same.
	r.edit("visibility", "visibilty")
	code, log = do("plan", map[string]string{"iid": "14"})
	require.Equal(r, 1, code, log)
	require.Contains(r, log, "Did you mean")
}

// gitlabJob is a job of what GitLab reads.
type gitlabJob struct {
	Stage, Environment string
	Rules              []struct{ If string }
	Variables          map[string]string
	Script             []string
	ResourceGroup      string `yaml:"resource_group"`
	AllowFailure       struct {
		ExitCodes int `yaml:"exit_codes"`
	} `yaml:"allow_failure"`
	Artifacts struct {
		When    string
		Paths   []string
		Reports map[string]string
	}
}

// TestPipelineOfGitLab runs the jobs of examples/ci/gitlab-ci.yml as they stand there.
func TestPipelineOfGitLab(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(pipelines + "gitlab-ci.yml")
	require.NoError(t, err)
	var file struct {
		Stages             []string
		Variables          map[string]string
		Plan, Apply, Drift gitlabJob
	}
	require.NoError(t, yaml.Unmarshal(text, &file))
	jobs := map[string]gitlabJob{"plan": file.Plan, "apply": file.Apply, "drift": file.Drift}
	for name, j := range jobs {
		require.Contains(t, file.Stages, j.Stage, name)
		require.Len(t, j.Rules, 1, name)
		require.NotEmpty(t, j.Script, name)
	}
	require.Equal(t, `$CI_PIPELINE_SOURCE == "merge_request_event"`, file.Plan.Rules[0].If)
	require.Contains(t, file.Apply.Rules[0].If, "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH")
	require.Equal(t, `$CI_PIPELINE_SOURCE == "schedule"`, file.Drift.Rules[0].If)
	require.Equal(t, "hew", file.Apply.ResourceGroup)
	require.Equal(t, "hew", file.Drift.ResourceGroup)
	require.NotEmpty(t, file.Apply.Environment)
	require.Equal(t, 2, file.Drift.AllowFailure.ExitCodes)
	require.Equal(t, "always", file.Plan.Artifacts.When)

	r := newRunner(t)
	do := func(name string, more map[string]string) (int, string) {
		j := jobs[name]
		env := maps.Clone(r.project)
		maps.Copy(env, map[string]string{"CI": "true", "CI_API_V4_URL": r.forge.URL + "/api/v4", "CI_PROJECT_ID": "5", "CI_PROJECT_PATH": "acme/infra", "CI_PROJECT_DIR": r.dir,
			"CI_SERVER_URL": r.forge.URL, "CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_ID": "345", "CI_PIPELINE_URL": r.forge.URL + "/acme/infra/-/pipelines/345",
			"CI_JOB_URL": r.forge.URL + "/acme/infra/-/jobs/6", "CI_COMMIT_SHA": "of-the-branch"})
		if more["iid"] != "" {
			env["CI_PIPELINE_SOURCE"], env["CI_MERGE_REQUEST_IID"], env["CI_MERGE_REQUEST_PROJECT_ID"] = "merge_request_event", more["iid"], "5"
		} else {
			env["CI_PIPELINE_SOURCE"], env["CI_COMMIT_BRANCH"], env["CI_COMMIT_SHA"] = "push", "main", more["commit"]
		}
		for _, variables := range []map[string]string{file.Variables, j.Variables} {
			for name, value := range variables {
				env[name] = os.Expand(value, func(name string) string { return env[name] })
			}
		}
		code, log := r.run(strings.Join(j.Script, "\n"), env)
		if name == "apply" {
			return code, log
		}
		kept := slices.Concat(j.Artifacts.Paths, slices.Collect(maps.Values(j.Artifacts.Reports)))
		for _, file := range kept {
			require.FileExists(t, filepath.Join(r.dir, file))
		}
		return code, log
	}
	r.forge.say(12, forgePerson, "Please plan.")
	r.tellPipeline(do, func(commit string, iid int) {
		r.forge.merged[commit] = iid
		r.forge.keep(t, iid, r.dir, "plan.json")
	})
	require.Len(t, r.forge.said(12), 1)
	require.Contains(t, r.forge.said(12)[0], "3 to create")
	require.Len(t, r.forge.said(14), 1)
	require.Contains(t, r.forge.said(14)[0], "There is no plan")
	require.Equal(t, "Please plan.", r.forge.notes[12][0].Body)
	require.NotContains(t, strings.Join(r.forge.asked, "\n"), "DELETE")
}

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
  "pr comment") cp "$7" "$GH_DIR/comment-$3.md" ;;
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
