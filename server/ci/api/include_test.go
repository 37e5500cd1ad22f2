package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
)

// One definition includes files in every form, from other projects of the server.
func TestIncludes(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	host := strings.TrimPrefix(strings.TrimSuffix(y.URL, "/api/v4"), "http://")
	lib := y.project("lib", map[string]string{
		"ci/jobs.yml": "include: [{local: /ci/more.yml}]\nfrom-project: {script: p}",
		"ci/more.yml": "nested-local: {script: n}",
		"templates/lint.yml": "spec: {inputs: {stage: {default: test}, flags: {type: array, default: []}}}\n---\n" +
			"component-$[[ inputs.stage ]]: {script: c, stage: \"$[[ inputs.stage ]]\"}",
		"templates/deep/template.yml": "spec: {inputs: {name: {}}}\n---\n$[[ inputs.name ]]: {script: d}",
	})
	for _, tag := range []string{"1.0.0", "1.2.0", "2.0.0"} {
		y.ok("POST", lib+"/repository/tags", map[string]any{"tag_name": tag, "ref": "main"})
	}
	y.project("secret", map[string]string{"x.yml": "x: {script: x}"}, "visibility", "private")
	definition := `
include:
  - local: parts/*.yml
  - {project: alice/LIB, file: [/ci/jobs.yml], ref: "1.0.0"}
  - template: Bash.gitlab-ci.yml
  - component: HOST/alice/lib/lint@1
    inputs: {stage: build}
  - component: HOST/alice/lib/deep@~latest
    inputs: {name: component-deep}
  - local: never.yml
    rules: [{if: $CI_COMMIT_TAG}]
own: {script: o}
`
	p := y.project("site", map[string]string{
		"parts/a.yml": "from-a: {script: a}", "parts/b.yml": "from-b: {script: b}",
		".gitlab-ci.yml": strings.ReplaceAll(definition, "HOST", host),
	})
	require.Equal(t, []string{
		"push main pending: build component-build from-a from-b nested-local from-project test component-deep own " +
			"deploy",
	}, y.pipelines(p))

	bob := y.User(t, "bob")
	y.ok("POST", p+"/members", map[string]any{"user_id": bob.ID, "access_level": 40})
	y.commit(p, "main", "Include a secret", map[string]string{
		".gitlab-ci.yml": "include: [{project: alice/secret, file: x.yml}]",
	})
	y.pipelines(p)
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main"})
	r := y.Do(t, bob.Token, "POST", p+"/pipeline", map[string]any{"ref": "main"})
	require.Equal(t, 400, r.Status)
	require.Contains(t, string(r.Body), "Project `alice/secret` not found or access denied!")

	y.ok("PUT", p, map[string]any{"ci_config_path": "ci/jobs.yml@alice/lib:2.0.0"})
	y.commit(p, "main", "Elsewhere", map[string]string{"README.md": "Hello"})
	all := y.pipelines(p)
	require.Equal(t, "push main pending: nested-local from-project", all[len(all)-1])
}

// A remote file is fetched by the task, so that the push does not wait for it, and its failure is
// one of the pipeline alone.
func TestRemoteInclude(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 10)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		if r.URL.Path != "/ci.yml" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("remote: {script: r}"))
	}))
	defer other.Close()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "include: " + other.URL + "/ci.yml\na: {script: a}"})
	require.Equal(t, []string{"push main failed: Remote file `" + other.URL + "/ci.yml` could not be fetched because " +
		"of error: requests to the local network are not allowed"}, y.pipelines(p))
	require.Empty(t, asked)
	r := y.Do(t, y.RootToken, "PUT", "/application/settings",
		map[string]any{"allow_local_requests_from_web_hooks_and_services": true})
	require.Equal(t, 200, r.Status, "%s", r.Body)
	y.commit(p, "main", "Again", map[string]string{"x": "1"})
	require.Equal(t, "push main pending: remote a", y.pipelines(p)[1])
	require.Len(t, asked, 1)
	require.Equal(t, "Remote file `"+other.URL+"/gone.yml` could not be fetched after 3 attempts because of HTTP code "+
		"`503` error!", y.lint(p, "include: "+other.URL+"/gone.yml"))
	require.Len(t, asked, 4)

	for _, cached := range []string{"true", "1 hour", "true"} {
		require.Empty(t, y.lint(p, "include: {remote: "+other.URL+"/ci.yml, cache: "+cached+"}"))
	}
	require.Len(t, asked, 5, "it was asked for once")
	require.Empty(t, y.lint(p, "include: "+other.URL+"/ci.yml"))
	require.Len(t, asked, 6)
}

// lint returns the errors of a definition.
func (y yard) lint(project, content string) string {
	y.t.Helper()
	var said struct{ Errors []string }
	y.ok("POST", project+"/ci/lint", map[string]any{"content": content}).Into(y.t, &said)
	return strings.Join(said.Errors, "; ")
}

// Definitions that grow without end are refused, and what was pushed stays pushed.
func TestBombs(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	laughs := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'k'; c++ {
		b := c - 1
		laughs += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", b), 8), b)
	}
	for name, definition := range map[string]string{
		"aliases":  laughs,
		"includes": "include: .gitlab-ci.yml\na: {script: a}",
		"matrix":   "a: {script: a, parallel: {matrix: [{A: [" + strings.Repeat("1,", 100) + "2], B: [1, 2, 3]}]}}",
		"depth":    "a: " + strings.Repeat("[", 500) + strings.Repeat("]", 500),
		"size":     "a: {script: \"" + strings.Repeat("x", 3<<20) + "\"}",
		"regex": "a: {script: a, rules: [{if: '$CI_COMMIT_MESSAGE =~ /^" + strings.Repeat("(a*)*", 50) + "$/', " +
			"when: never}, {if: $NONE}]}",
	} {
		p := y.project(name, map[string]string{".gitlab-ci.yml": definition})
		stored := y.pipelines(p)
		require.LessOrEqual(t, len(stored), 1, name)
		require.NotContains(t, strings.Join(stored, ""), "pending", name)
		y.ok("GET", p+"/repository/files/.gitlab-ci.yml?ref=main", nil)
	}
}

// Pushes at once to different refs and to one ref have a pipeline each, and no more.
func TestPushesAtOnce(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a}"})
	y.pipelines(p)
	var pushes sync.WaitGroup
	const n = 6
	for i := range n {
		pushes.Go(func() {
			y.Do(t, y.by.Token, "POST", p+"/repository/branches",
				map[string]any{"branch": fmt.Sprint("b", i), "ref": "main"})
		})
	}
	pushes.Wait()
	require.Len(t, y.pipelines(p), 1+n)
	left, err := db.Value[int](t.Context(), y.Store, `select count(*) from pipeline_requests`, nil)
	require.NoError(t, err)
	require.Zero(t, left)
}
