package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/setting"
)

const challenge = `Basic realm="GitLab Packages Registry"`

// Every client that may not read is asked for a password, whether there is something to read or not
// (gitea#20105: the first request comes without one).
func TestChallenge(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	p.push("Acme.Core", "1.0.0")
	ask := func(want int, method, path string, signs ...sign) {
		t.Helper()
		r := p.ask(method, path, nil, signs...)
		require.Equal(t, want, r.Status, "%s %s: %s", method, path, r.Body)
		if want == 401 {
			require.Equal(t, challenge, r.Header.Get("WWW-Authenticate"), "%s %s", method, path)
		}
	}
	file := "/pkgfeed/download/acme.core/1.0.0/acme.core.1.0.0.nupkg"
	for _, signs := range [][]sign{nil, {basic("x", "glpat-wrong")}, {basic("x", "gldt-wrong")},
		{basic("gitlab-ci-token", "glcbt-wrong")}, {basic("", "")}} {
		for _, path := range []string{
			p.at("/pkgfeed/query"), p.at("/nuget/query"), p.at("/pkgfeed/metadata/acme.core/index.json"),
			p.at("/pkgfeed/metadata/acme.core/1.0.0.json"), p.at("/pkgfeed/download/acme.core/index.json"), p.at(file),
			p.feed("/query"), p.feed("/query/"), "/projects/0/packages" + file, "/projects/no%2Fone/packages/pkgfeed/query",
			"/groups/0/-/packages/pkgfeed/query", p.at("/generic/a/1/b"), "/projects/0/packages/generic/a/1/b",
		} {
			ask(401, "GET", path, signs...)
		}
		ask(401, "PUT", p.at("/pkgfeed"), signs...)
		ask(401, "PUT", p.at("/pkgfeed/"), signs...)
		ask(401, "PUT", p.at("/pkgfeed/symbolpackage"), signs...)
		ask(401, "DELETE", p.at("/pkgfeed/acme.core/1.0.0"), signs...)
		ask(401, "PUT", "/projects/0/packages/pkgfeed/", signs...)
	}
	ask(404, "GET", p.at("/pkgfeed/query"), basic("x", p.stranger.Token))
	ask(403, "GET", p.at("/pkgfeed/query"), basic("x", p.guest.Token))
	ask(200, "GET", p.at("/pkgfeed/query"), basic("x", p.reporter.Token))
}

// Personal tokens come in every header, with any user name.
func TestPersonalTokens(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	p.push("Acme.Core", "1.0.0")
	d := p.developer
	for i, s := range []sign{
		basic("anything", d.Token), basic("", d.Token), basic(d.Username, d.Token),
		header("PRIVATE-TOKEN", d.Token), header("Authorization", "Bearer "+d.Token),
	} {
		require.Equal(t, 200, p.ask("GET", p.at("/pkgfeed/query"), nil, s).Status, i)
		require.Equal(t, 201, p.ask("PUT", p.at("/pkgfeed"), pack("Acme.Core", fmt.Sprint("2.0.", i)), s).Status, i)
		require.Equal(t, 201, p.ask("PUT", p.at("/generic/tool/1/f"), "x", s).Status, i)
	}
	narrow := p.s.Token(t, d.ID, "read_api")
	require.Equal(t, 200, p.ask("GET", p.at("/pkgfeed/query"), nil, basic("x", narrow)).Status)
	require.Equal(t, 403, p.ask("PUT", p.at("/pkgfeed"), pack("Acme.Core", "3.0.0"), basic("x", narrow)).Status)
	git := p.s.Token(t, d.ID, "read_repository")
	require.Equal(t, 403, p.ask("GET", p.at("/pkgfeed/query"), nil, basic("x", git)).Status)
}

// A key alone publishes and deletes, and reads nothing (gitea#20717).
func TestKeys(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	key := func(token string) sign { return header("X-NuGet-ApiKey", token) }
	put := func(want int, version string, signs ...sign) {
		t.Helper()
		r := p.ask("PUT", p.at("/nuget/"), pack("Acme.Core", version), signs...)
		require.Equal(t, want, r.Status, "%s", r.Body)
		if want == 401 {
			require.Equal(t, challenge, r.Header.Get("WWW-Authenticate"))
		}
	}
	put(201, "1.0.0", key(p.developer.Token))
	put(403, "1.0.1", key(p.reporter.Token))
	put(404, "1.0.1", key(p.stranger.Token))
	put(401, "1.0.1", key("glpat-wrong"))
	put(401, "1.0.1", key("gldt-wrong"))
	put(401, "1.0.1", key(""))
	// A password says who it is, whatever the key is.
	put(201, "1.0.2", key(p.reporter.Token), basic("x", p.developer.Token))
	put(403, "1.0.3", key(p.developer.Token), basic("x", p.reporter.Token))
	put(401, "1.0.3", key(p.developer.Token), basic("x", "glpat-wrong"))
	write := p.deployToken(fmt.Sprintf("/projects/%d", p.project.ID), "write_package_registry")
	put(201, "1.0.4", key(write.Token))
	read := p.deployToken(fmt.Sprintf("/projects/%d", p.project.ID), "read_package_registry")
	put(403, "1.0.5", key(read.Token))
	job, end := p.job(p.developer, p.project)
	put(201, "1.0.6", key(job))
	end()
	put(401, "1.0.7", key(job))
	for _, token := range []string{p.developer.Token, read.Token, job} {
		require.Equal(t, 401, p.ask("GET", p.at("/nuget/query"), nil, key(token)).Status, "keys do not read")
	}
	require.Equal(t, 401, p.ask("PUT", fmt.Sprintf("/projects/%d", p.project.ID), nil, key(p.owner.Token)).Status)
	require.Equal(t, 403, p.ask("DELETE", p.at("/nuget/acme.core/1.0.0"), nil, key(p.developer.Token)).Status)
	require.Equal(t, 204, p.ask("DELETE", p.at("/nuget/acme.core/1.0.0"), nil, key(p.maintainer.Token)).Status)
}

// Deploy tokens come with their user name, and do what their scopes say in their project or group.
func TestDeployTokens(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	other := p.newProject("other", p.group)
	p.push("Acme.Core", "1.0.0")
	ofProject := fmt.Sprintf("/projects/%d", p.project.ID)
	read, write := p.deployToken(ofProject, "read_package_registry"), p.deployToken(ofProject, "write_package_registry")
	git := p.deployToken(ofProject, "read_repository")
	group := p.deployToken(fmt.Sprintf("/groups/%d", p.group.ID), "read_package_registry", "write_package_registry")
	elsewhere := fmt.Sprintf("/projects/%d/packages/pkgfeed", other.ID)
	for i, c := range []struct {
		want         int
		method, path string
		by           deployToken
		user         string // empty: that of the token
	}{
		{200, "GET", p.at("/pkgfeed/query"), read, ""},
		{401, "GET", p.at("/pkgfeed/query"), read, "somebody"},
		{403, "GET", p.at("/pkgfeed/query"), git, ""},
		{201, "PUT", p.at("/pkgfeed"), write, ""},
		{401, "PUT", p.at("/pkgfeed"), write, "somebody"},
		{403, "PUT", p.at("/pkgfeed"), read, ""},
		{404, "GET", elsewhere + "/query", read, ""},
		{404, "PUT", elsewhere, write, ""},
		{200, "GET", elsewhere + "/query", group, ""},
		{201, "PUT", elsewhere, group, ""},
		{200, "GET", p.feed("/query"), group, ""},
		{404, "GET", p.feed("/query"), read, ""},
		{403, "DELETE", p.at("/pkgfeed/acme.core/1.0.0"), read, ""},
		{404, "DELETE", elsewhere + "/acme.core/2.0.9", write, ""},
		{204, "DELETE", p.at("/pkgfeed/acme.core/1.0.0"), write, ""},
		{204, "DELETE", elsewhere + "/acme.core/2.0.9", group, ""},
		{200, "GET", p.at(""), read, ""},
	} {
		user := c.by.Username
		if c.user != "" {
			user = c.user
		}
		r := p.ask(c.method, c.path, pack("Acme.Core", fmt.Sprint("2.0.", i)), basic(user, c.by.Token))
		require.Equal(t, c.want, r.Status, "%d: %s %s: %s", i, c.method, c.path, r.Body)
	}
	p.do(204, p.owner.Token, "DELETE", fmt.Sprint(ofProject, "/deploy_tokens/", read.ID), nil)
	require.Equal(t, 401, p.ask("GET", p.at("/pkgfeed/query"), nil, basic(read.Username, read.Token)).Status)
}

// A job calls for the user who started it, in its project and in those that let it in, until it
// ends.
func TestJobTokens(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	other := p.newProject("other", p.group)
	p.join(p.developer, other, 30)
	job, end := p.job(p.developer, p.project)
	as := basic("gitlab-ci-token", job)
	require.Equal(t, 201, p.ask("PUT", p.at("/pkgfeed"), pack("Acme.Core", "1.0.0"), as).Status)
	require.Equal(t, 201, p.ask("PUT", p.at("/generic/tool/1/f"), "x", header("JOB-TOKEN", job)).Status)
	require.Equal(t, 200, p.ask("GET", p.at("/pkgfeed/query"), nil, as).Status)
	require.Equal(t, 401, p.ask("GET", p.at("/pkgfeed/query"), nil, basic("somebody", job)).Status)
	require.Equal(t, 403, p.ask("DELETE", p.at("/pkgfeed/acme.core/1.0.0"), nil, as).Status)
	var list []struct {
		Name     string
		Pipeline struct{ ID int64 }
	}
	p.do(200, p.reporter.Token, "GET", p.at(""), nil).Into(t, &list)
	require.Len(t, list, 2)
	require.NotZero(t, list[0].Pipeline.ID, "the package names the pipeline that published it")

	elsewhere := fmt.Sprintf("/projects/%d/packages/pkgfeed", other.ID)
	require.Equal(t, 404, p.ask("GET", elsewhere+"/query", nil, as).Status, "it does not let the project in")
	require.Equal(t, 404, p.ask("PUT", elsewhere, pack("Acme.Other", "1.0.0"), as).Status)
	p.do(201, p.owner.Token, "PUT", elsewhere, pack("Acme.Other", "1.0.0"))
	require.Equal(t, []string{"Acme.Core"}, p.found(as))
	p.do(201, p.owner.Token, "POST", fmt.Sprintf("/projects/%d/job_token_scope/allowlist", other.ID),
		map[string]any{"target_project_id": p.project.ID})
	require.Equal(t, 200, p.ask("GET", elsewhere+"/query", nil, as).Status)
	require.Equal(t, []string{"Acme.Core", "Acme.Other"}, p.found(as))
	end()
	require.Equal(t, 401, p.ask("GET", p.at("/pkgfeed/query"), nil, as).Status)
	require.Equal(t, 401, p.ask("PUT", p.at("/pkgfeed"), pack("Acme.Core", "2.0.0"), as).Status)
}

// Everybody reads the packages of a public project, and of one whose packages anybody may read if
// the instance allows it.
func TestAnonymous(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Fresh(t))
	p.push("Acme.Core", "1.0.0")
	file := p.at("/pkgfeed/download/acme.core/1.0.0/acme.core.1.0.0.nupkg")
	read := func(want int) {
		t.Helper()
		require.Equal(t, want, p.ask("GET", p.at("/pkgfeed/query"), nil).Status)
		require.Equal(t, want, p.ask("GET", file, nil).Status)
		require.Equal(t, want == 200, p.ask("GET", file, nil, basic("x", p.stranger.Token)).Status == 200)
		require.Equal(t, want == 200, p.ask("GET", file, nil, basic("x", p.guest.Token)).Status == 200)
	}
	read(401)
	p.set(map[string]any{"package_registry_access_level": "public"})
	read(200)
	require.Equal(t, 401, p.ask("PUT", p.at("/pkgfeed"), pack("Acme.Core", "2.0.0")).Status)
	as := basic("x", p.stranger.Token)
	require.Equal(t, 403, p.ask("PUT", p.at("/pkgfeed"), pack("Acme.Core", "2.0.0"), as).Status)
	require.Equal(t, 404, p.s.Do(t, "", "GET", fmt.Sprintf("/projects/%d", p.project.ID), nil).Status)
	require.NoError(t, setting.Set(t.Context(), p.s.Store, "package_registry_allow_anyone_to_pull_option", false))
	read(401)
	require.NoError(t, setting.Set(t.Context(), p.s.Store, "package_registry_allow_anyone_to_pull_option", true))
	p.set(map[string]any{"packages_enabled": false})
	require.NotEqual(t, 200, p.ask("GET", file, nil).Status)
	require.NotEqual(t, 200, p.ask("GET", file, nil, basic("x", p.owner.Token)).Status)
}
