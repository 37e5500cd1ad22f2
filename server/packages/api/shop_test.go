package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/git/object"
	"hew/server/servertest"
)

// shop is a private project in a private group, and people with roles in the project. The owner
// owns the group.
type shop struct {
	*testing.T
	s                                             *servertest.Server
	group, project                                servertest.Made
	owner, maintainer, developer, reporter, guest servertest.Persona
	stranger                                      servertest.Persona
}

func newShop(t *testing.T, s *servertest.Server) shop {
	name := strings.ToLower(t.Name())
	p := shop{T: t, s: s, owner: s.User(t, name+"-o"), stranger: s.User(t, name+"-s")}
	p.group = p.newGroup(name, nil)
	p.project = p.newProject("lib", p.group)
	for who, level := range map[*servertest.Persona]int{
		&p.maintainer: 40, &p.developer: 30, &p.reporter: 20, &p.guest: 10,
	} {
		*who = s.User(t, fmt.Sprint(name, "-", level))
		p.join(*who, p.project, level)
	}
	return p
}

func (p shop) newGroup(path string, fields map[string]any) (g servertest.Made) {
	p.Helper()
	body := map[string]any{"name": path, "path": path}
	for name, value := range fields {
		body[name] = value
	}
	p.s.Do(p, p.owner.Token, "POST", "/groups", body).Into(p, &g)
	return g
}

func (p shop) newProject(path string, in servertest.Made) (made servertest.Made) {
	p.Helper()
	p.s.Do(p, p.owner.Token, "POST", "/projects", map[string]any{"name": path, "namespace_id": in.ID}).Into(p, &made)
	return made
}

// join makes a user a member of a project.
func (p shop) join(who servertest.Persona, of servertest.Made, level int) {
	p.Helper()
	p.do(201, p.owner.Token, "POST", fmt.Sprintf("/projects/%d/members", of.ID),
		map[string]any{"user_id": who.ID, "access_level": level})
}

// do sends a request with a token, and returns the answer, which must have the status.
func (p shop) do(want int, token, method, path string, body any) servertest.Reply {
	p.Helper()
	r := p.s.Do(p, token, method, path, body)
	require.Equal(p, want, r.Status, "%s %s: %s", method, path, r.Body)
	return r
}

// at returns an address of the packages of the project, such as at("/pkgfeed/query").
func (p shop) at(path string) string {
	return fmt.Sprintf("/projects/%d/packages%s", p.project.ID, path)
}

// feed returns an address of the feed of the group.
func (p shop) feed(path string) string {
	return fmt.Sprintf("/groups/%d/-/packages/pkgfeed%s", p.group.ID, path)
}

// set changes fields of the project.
func (p shop) set(fields map[string]any) {
	p.Helper()
	p.do(200, p.owner.Token, "PUT", fmt.Sprintf("/projects/%d", p.project.ID), fields)
}

// settings changes the package settings of the group.
func (p shop) settings(fields map[string]any) {
	p.Helper()
	p.do(200, p.owner.Token, "PUT", fmt.Sprintf("/groups/%d/package_settings", p.group.ID), fields)
}

// pack returns a package.
func pack(id, version string, more ...string) servertest.Upload {
	return servertest.Package(id+".nupkg",
		"<id>"+id+"</id><version>"+version+"</version>"+strings.Join(more, ""))
}

// symbols is the type of packages of symbols.
const symbols = `<packageTypes><packageType name="SymbolsPackage"/></packageTypes>`

// push publishes a package as the owner.
func (p shop) push(id, version string, more ...string) {
	p.Helper()
	p.do(201, p.owner.Token, "PUT", p.at("/pkgfeed"), pack(id, version, more...))
}

// sign adds who calls to a request.
type sign func(*http.Request)

func basic(user, password string) sign {
	return func(r *http.Request) { r.SetBasicAuth(user, password) }
}

func header(name, value string) sign { return func(r *http.Request) { r.Header.Set(name, value) } }

// unredirected is a client that follows no redirect: package clients lose their credentials then
// (NuGet/Home#2521).
var unredirected = http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// ask sends a request of a client and returns the answer.
func (p shop) ask(method, path string, body any, signs ...sign) servertest.Reply {
	p.Helper()
	var text io.Reader
	kind := ""
	switch b := body.(type) {
	case servertest.Upload:
		form, of, err := b.Form()
		require.NoError(p, err)
		text, kind = form, of
	case string:
		text = strings.NewReader(b)
	case []byte:
		text = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(p.Context(), method, p.s.URL+path, text)
	require.NoError(p, err)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for _, s := range signs {
		s(r)
	}
	resp, err := unredirected.Do(r)
	require.NoError(p, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(p, err)
	return servertest.Reply{Status: resp.StatusCode, Header: resp.Header, Body: answer}
}

// deployToken is a deploy token as its answer shows it.
type deployToken struct {
	ID              int64
	Username, Token string
}

func (p shop) deployToken(of string, scopes ...string) (t deployToken) {
	p.Helper()
	p.do(201, p.owner.Token, "POST", of+"/deploy_tokens", map[string]any{"name": "t", "scopes": scopes}).Into(p, &t)
	return t
}

// features are those of a runner that the job needs.
var features = map[string]bool{
	"upload_multiple_artifacts": true, "artifacts_exclude": true, "multi_build_steps": true, "return_exit_code": true,
	"fallback_cache_keys": true, "cancel_gracefully": true, "refspecs": true,
}

// job starts a job of a user in a project and returns its token, and what ends it.
func (p shop) job(who servertest.Persona, of servertest.Made) (token string, end func()) {
	p.Helper()
	var runner, job struct {
		ID    int64
		Token string
	}
	p.do(201, p.owner.Token, "POST", "/user/runners",
		map[string]any{"runner_type": "project_type", "project_id": of.ID}).Into(p, &runner)
	var made struct{ ID string }
	p.do(201, p.owner.Token, "POST", fmt.Sprintf("/projects/%d/repository/commits", of.ID), map[string]any{
		"branch": "main", "commit_message": "Begin",
		"actions": []map[string]any{{"action": "create", "file_path": "a", "content": "a"}},
	}).Into(p, &made)
	commit, err := object.ParseID(made.ID)
	require.NoError(p, err)
	_, err = ci.StorePipeline(p.Context(), p.s.Store, ci.Pipeline{
		ProjectID: of.ID, Source: ci.ByPush, Ref: "main", Commit: commit, UserID: &who.ID,
	}, nil, []*definition.Job{{
		Name: "a", Base: "a", Stage: "test", StageIndex: 1, Kind: definition.Build, When: definition.OnSuccess,
		Options: definition.Options{Script: []string{"true"}},
	}})
	require.NoError(p, err)
	p.do(201, "", "POST", "/jobs/request", map[string]any{
		"token": runner.Token, "system_id": "s", "info": map[string]any{"version": "16.9.0", "features": features},
	}).Into(p, &job)
	return job.Token, func() {
		p.do(200, "", "PUT", fmt.Sprintf("/jobs/%d", job.ID), map[string]any{"token": job.Token, "state": "success"})
	}
}
