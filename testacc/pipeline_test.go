package testacc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

const pipelines = "../examples/ci/"

// repository is a checkout of examples/ci, and the host that it manages.
type repository struct {
	*testing.T
	server     *servertest.Server
	dir, tools string
	secrets    []string          // that no log may have
	project    map[string]string // variables of its pipelines
	ledger     string            // the project on the managed host that keeps it
}

// newRepository sets up a checkout, a host, and what a team sets up by hand on that.
func newRepository(t *testing.T) *repository {
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("pipelines take " + tool + ", which is not installed")
		}
	}
	r := &repository{T: t, server: servertest.Fresh(t), dir: t.TempDir(), tools: t.TempDir()}
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
		"HEW_URL": strings.TrimSuffix(r.server.URL, prefix), "HEW_PLAN_TOKEN": reader["token"],
		"HEW_APPLY_TOKEN": r.server.RootToken, "HEW_LEDGER_KEY": "a-key-that-all-of-the-jobs-share-0",
		"HEW_LEDGER_PROJECT": r.ledger, "HEW_VAR_hook_token": "the-token-of-the-hook",
		"HEW_ALERT_URL": alerts["url"], "HEW_ALERT_TOKEN": alerts["authorization_key"],
	}
	r.secrets = []string{reader["token"], r.server.RootToken, "a-key-that-all-of-the-jobs-share-0",
		"the-token-of-the-hook", alerts["authorization_key"]}
	return r
}

// made creates something on the managed host, and returns what it answers, as texts.
func (r *repository) made(path, body string) map[string]string { return r.ask("POST", path, body) }

// ask sends a request to the managed host that must succeed, and returns what it answers, as texts.
func (r *repository) ask(method, path, body string) map[string]string {
	r.Helper()
	reply := r.server.Do(r, r.server.RootToken, method, path, json.RawMessage(body))
	require.Equal(r, 2, reply.Status/100, "%s %s: %s", method, path, reply.Body)
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

// run runs a script as runners do, in an environment of its own, and returns the exit code and the
// log.
func (r *repository) run(script string, env map[string]string) (code int, log string) {
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" +
		strings.Join([]string{r.tools, bin, os.Getenv("PATH")}, string(filepath.ListSeparator)), "HOME=" + r.tools}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	_ = cmd.Run() // the code tells
	files, err := filepath.Glob(filepath.Join(r.dir, "*"))
	require.NoError(r, err)
	all := said.String()
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
func (r *repository) visibility() string {
	var group struct{ Visibility string }
	if reply := r.server.Do(r, r.server.RootToken, "GET", "/groups/platform", nil); reply.Status == 200 {
		reply.Into(r, &group)
	}
	return group.Visibility
}

func (r *repository) setVisibility(to string) {
	reply := r.server.Do(r, r.server.RootToken, "PUT", "/groups/platform", json.RawMessage(`{"visibility":"`+to+`"}`))
	require.Equal(r, 200, reply.Status, "%s", reply.Body)
}

// edit changes the configuration.
func (r *repository) edit(from, to string) {
	file := filepath.Join(r.dir, "main.hcl")
	text, err := os.ReadFile(file)
	require.NoError(r, err)
	require.Contains(r, string(text), from)
	require.NoError(r, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), from, to)), 0o600))
}

// alerts are the states of all alerts that the nights have raised.
func (r *repository) alerts() (states []string) {
	var all []struct{ Status string }
	r.server.Do(r, r.server.RootToken, "GET", "/projects/"+r.ledger+"/alerts", nil).Into(r, &all)
	for _, a := range all {
		states = append(states, a.Status)
	}
	return states
}

// job does one of a pipeline.
type job func(name string, more map[string]string) (code int, log string)

// tellPipeline leads a repository through its life: a merge request, the merge, what moves in
// between, and the nights. merge has a commit be the one that a merge request came to main by,
// whose job plan ran last.
func (r *repository) tellPipeline(do job, merge func(commit string, iid int)) {
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
	require.Contains(r, log, "Saved plan is stale")

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
	require.Contains(r, log, "group.platform: was unchanged, now update")
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
