package api_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
)

// yard is a server with a user, in whose namespace projects are made.
type yard struct {
	*servertest.Server
	t  *testing.T
	by servertest.Persona
}

func newYard(t *testing.T) yard {
	s := servertest.Fresh(t)
	return yard{s, t, s.User(t, "alice")}
}

// project makes a project with files in main.
func (y yard) project(path string, files map[string]string, more ...string) string {
	y.t.Helper()
	body := map[string]any{"name": path, "path": path}
	for i := 0; i < len(more); i += 2 {
		body[more[i]] = more[i+1]
	}
	var made struct{ ID int64 }
	y.ok("POST", "/projects", body).Into(y.t, &made)
	if files != nil {
		y.commit(fmt.Sprintf("/projects/%d", made.ID), "main", "Add files", files)
	}
	return fmt.Sprintf("/projects/%d", made.ID)
}

// commit writes files to a branch, which begins at main if it is new. What earlier commits have
// caused comes first, so that pipelines are made in the order of the commits.
func (y yard) commit(project, branch, message string, files map[string]string) {
	y.t.Helper()
	y.Drain(y.t)
	var actions []map[string]any
	for path, content := range files {
		action := "create"
		if y.Do(y.t, y.by.Token, "GET", project+"/repository/files/"+strings.ReplaceAll(path, "/", "%2F")+
			"?ref="+branch, nil).Status == 200 {
			action = "update"
		}
		actions = append(actions, map[string]any{"action": action, "file_path": path, "content": content})
	}
	body := map[string]any{"branch": branch, "commit_message": message, "actions": actions}
	if branch != "main" && y.Do(y.t, y.by.Token, "GET", project+"/repository/branches/"+branch, nil).Status == 404 {
		body["start_branch"] = "main"
	}
	y.ok("POST", project+"/repository/commits", body)
}

// ok sends a request that must succeed.
func (y yard) ok(method, path string, body any) servertest.Reply {
	y.t.Helper()
	r := y.Do(y.t, y.by.Token, method, path, body)
	require.Less(y.t, r.Status, 300, "%s %s: %s", method, path, r.Body)
	return r
}

// refused sends a request that must be refused, and returns the text.
func (y yard) refused(status int, path string, body any) string {
	y.t.Helper()
	r := y.Do(y.t, y.by.Token, "POST", path, body)
	require.Equal(y.t, status, r.Status, "%s: %s", path, r.Body)
	var said struct {
		Message struct{ Base []string }
	}
	require.NoError(y.t, json.Unmarshal(r.Body, &said), "%s", r.Body)
	return strings.Join(said.Message.Base, "; ")
}

// pipelines returns the pipelines of a project in their order, each as "source ref status: jobs".
func (y yard) pipelines(project string) []string {
	y.t.Helper()
	y.Drain(y.t)
	rows, err := db.Values[string](y.t.Context(), y.Store, `
		select concat_ws(' ', p.source, p.ref, p.status) || ':' ||
			coalesce((select string_agg(' ' || j.name, '' order by j.id) from jobs j where j.pipeline_id = p.id), '') ||
			coalesce(' ' || p.yaml_errors, '')
		from pipelines p where p.project_id = @id order by p.id`,
		pgx.NamedArgs{"id": strings.TrimPrefix(project, "/projects/")})
	require.NoError(y.t, err)
	return rows
}

// git runs git in a directory as a client would, and returns what it wrote.
func (y yard) git(dir string, args ...string) string {
	y.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0", "HOME="+dir,
		"GIT_AUTHOR_NAME=Alice", "GIT_AUTHOR_EMAIL=alice@example.com", "GIT_COMMITTER_NAME=Alice",
		"GIT_COMMITTER_EMAIL=alice@example.com")
	out, err := cmd.CombinedOutput()
	require.NoError(y.t, err, "git %s: %s", strings.Join(args, " "), out)
	return string(out)
}

// clone returns a directory with the files of a project.
func (y yard) clone(path string) string {
	y.t.Helper()
	dir := y.t.TempDir()
	base := strings.TrimSuffix(y.URL, "/api/v4")
	address := strings.Replace(base, "://", "://alice:"+y.by.Token+"@", 1) + "/" + path + ".git"
	y.git(dir, "clone", "-q", address, ".")
	return dir
}

func TestPushMakesPipelines(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	const definition = `
stages: [one, two]
b: {stage: two, script: b}
a: {stage: one, script: a, rules: [{if: $CI_COMMIT_BRANCH}]}
c: {stage: one, script: c, rules: [{if: $CI_COMMIT_TAG}]}
d: {stage: two, script: d, rules: [{if: $EXTRA == "x y"}]}
`
	p := y.project("site", map[string]string{"README.md": "Hello"})
	require.Empty(t, y.pipelines(p), "no definition")

	dir := y.clone("alice/site")
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitlab-ci.yml"), []byte(definition), 0o600))
	y.git(dir, "add", ".")
	y.git(dir, "commit", "-qm", "Define jobs")
	y.git(dir, "push", "-q", "origin", "HEAD:main")
	require.Equal(t, []string{"push main pending: a b"}, y.pipelines(p))

	y.git(dir, "tag", "v1")
	y.git(dir, "push", "-q", "origin", "v1")
	y.git(dir, "push", "-q", "-o", "ci.variable=EXTRA=x y", "-o", "ci.variable=nothing", "origin", "HEAD:topic")
	y.git(dir, "push", "-q", "-o", "ci.skip", "origin", "HEAD:quiet")
	y.git(dir, "push", "-q", "-o", "ci.no_pipeline", "origin", "HEAD:silent")
	y.git(dir, "push", "-q", "origin", ":topic")
	y.git(dir, "commit", "-q", "--allow-empty", "-m", "Nothing [Skip CI]")
	y.git(dir, "push", "-q", "origin", "HEAD:main")
	require.Equal(t, []string{
		"push main pending: a b", "push v1 pending: c b", "push topic pending: a b d", "push quiet skipped:",
		"push main skipped:",
	}, y.pipelines(p))

	y.git(dir, "commit", "-q", "--allow-empty", "-m", "More")
	y.git(dir, "push", "-q", "origin", "HEAD:r1", "HEAD:r2", "HEAD:r3", "HEAD:r4", "HEAD:r5", "HEAD:r6")
	require.Len(t, y.pipelines(p), 5+4, "of four refs of a push")
}

// Two pushes one after the other have their pipelines in that order, and the newer one makes the
// older one redundant.
func TestRedundantPipelines(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a}"})
	for i := range 3 {
		y.commit(p, "main", "Change", map[string]string{"n": fmt.Sprint(i)})
	}
	require.Equal(t, []string{
		"push main canceled: a", "push main canceled: a", "push main canceled: a", "push main pending: a",
	}, y.pipelines(p))
	y.commit(p, "main", "Keep", map[string]string{
		".gitlab-ci.yml": "workflow: {auto_cancel: {on_new_commit: none}}\na: {script: a}",
	})
	y.commit(p, "main", "Again", map[string]string{"n": "3"})
	require.Equal(t, []string{"push main canceled: a", "push main pending: a", "push main pending: a"},
		y.pipelines(p)[3:])
	y.ok("PUT", p, map[string]any{"auto_cancel_pending_pipelines": "disabled"})
	y.commit(p, "main", "Usual", map[string]string{".gitlab-ci.yml": "a: {script: a}"})
	y.commit(p, "main", "Again", map[string]string{"n": "4"})
	require.Equal(t, []string{"push main pending: a", "push main pending: a"}, y.pipelines(p)[6:])
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, definition string
		push             []string // what a push stores
		api              string   // what POST /pipeline answers; "": a pipeline
	}{
		{"jobs", "a: {script: a}", []string{"push main pending: a"}, ""},
		{"no jobs for it", "a: {script: a, rules: [{if: $NOTHING}]}", nil, "Pipeline will not run for the selected " +
			"trigger. The rules configuration prevented any jobs from being added to the pipeline."},
		{"only first and last stage", "a: {script: a, stage: .pre}", nil, "Pipeline will not run for the selected " +
			"trigger. The rules configuration prevented any jobs from being added to the pipeline."},
		{"workflow", "workflow: {rules: [{if: $NOTHING}]}\na: {script: a}", nil,
			"Pipeline filtered out by workflow rules."},
		{"error", "a: {script: []}", []string{"push main failed: jobs:a script can't be blank"},
			"jobs:a script can't be blank"},
		{"syntax", "a: [", nil, ""},
		{"blank", "\n", []string{"push main failed: Please provide content of .gitlab-ci.yml"},
			"Please provide content of .gitlab-ci.yml"},
		{"source", "a: {script: a, only: [pushes]}\nb: {script: b, only: [api]}",
			[]string{"push main pending: a"}, ""},
		{"missing include", "include: gone.yml\na: {script: a}",
			[]string{"push main failed: Local file `gone.yml` does not exist!"},
			"Local file `gone.yml` does not exist!"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			y := newYard(t)
			p := y.project("site", map[string]string{".gitlab-ci.yml": tt.definition})
			if tt.name == "syntax" {
				require.Contains(t, strings.Join(y.pipelines(p), ""), "push main failed: ")
				require.NotEmpty(t, y.refused(400, p+"/pipeline", map[string]any{"ref": "main"}))
				return
			}
			require.ElementsMatch(t, tt.push, y.pipelines(p))
			if tt.api != "" {
				require.Equal(t, tt.api, y.refused(400, p+"/pipeline", map[string]any{"ref": "main"}))
				require.Len(t, y.pipelines(p), len(tt.push), "nothing is stored for it")
				return
			}
			var made struct{ Status, Source string }
			y.ok("POST", p+"/pipeline", map[string]any{"ref": "main"}).Into(t, &made)
			require.Equal(t, "api", made.Source)
		})
	}
}
