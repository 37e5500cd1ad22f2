package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/setting"
)

// The feed of a private group has, for everybody, the packages that anybody may read (gaps §11). It
// tells nothing else of the group.
func TestPublicPackagesOfGroup(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Fresh(t))
	other := p.newProject("other", p.group)
	p.push("Acme.Core", "1.0.0")
	p.do(201, p.owner.Token, "PUT", fmt.Sprintf("/projects/%d/packages/nuget", other.ID), pack("Acme.Other", "1.0.0"))
	stranger, nobody := basic("x", p.stranger.Token), sign(func(*http.Request) {})
	deploy := p.deployToken(fmt.Sprintf("/projects/%d", other.ID), "read_package_registry")
	answers := func(want int, signs ...sign) {
		t.Helper()
		require.Equal(t, want, p.ask("GET", p.feed("/query"), nil, signs...).Status)
	}
	answers(401, nobody)
	answers(404, stranger)
	p.set(map[string]any{"package_registry_access_level": "public"})
	for _, who := range []sign{nobody, stranger} {
		require.Equal(t, []string{"Acme.Core"}, p.found(who))
		require.Equal(t, 404, p.ask("GET", p.feed("/metadata/acme.other/index.json"), nil, who).Status)
		file := p.feed("/download/acme.core/1.0.0/acme.core.1.0.0.nupkg")
		require.Equal(t, 200, p.ask("GET", file, nil, who).Status)
		require.Equal(t, 404, p.ask("GET", fmt.Sprintf("/groups/%d", p.group.ID), nil, who).Status)
		require.Equal(t, 404, p.ask("GET", fmt.Sprintf("/groups/%d/packages", p.group.ID), nil, who).Status)
	}
	require.Equal(t, []string{"Acme.Core", "Acme.Other"}, p.found(basic(deploy.Username, deploy.Token)),
		"a deploy token reads its own project, too")
	require.NoError(t, setting.Set(t.Context(), p.s.Store, "package_registry_allow_anyone_to_pull_option", false))
	answers(401, nobody)
	answers(404, stranger)
	require.NoError(t, setting.Set(t.Context(), p.s.Store, "package_registry_allow_anyone_to_pull_option", true))
	p.set(map[string]any{"packages_enabled": false})
	answers(401, nobody)
	answers(404, stranger)
}

// An earlier path of a project whose packages anybody may read leads to them, and tells the new
// path only those who may see the project.
func TestFormerPaths(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	p.push("Acme.Core", "1.0.0")
	p.set(map[string]any{"package_registry_access_level": "public"})
	p.set(map[string]any{"path": "secret-name"})
	former := "/projects/testformerpaths%2Flib/packages/pkgfeed/query"
	for _, signs := range [][]sign{nil, {basic("x", p.stranger.Token)}} {
		r := p.ask("GET", former, nil, signs...)
		require.Equal(t, 200, r.Status, "%s", r.Body)
		require.NotContains(t, fmt.Sprint(r.Header, string(r.Body)), "secret-name")
	}
	r := p.ask("GET", former, nil, basic("x", p.reporter.Token))
	require.Equal(t, 301, r.Status)
	require.True(t, strings.Contains(fmt.Sprint(r.Header, string(r.Body)), "secret-name"))
}

// A list of packages shows the pipelines that the caller may see, project by project.
func TestPipelinesInGroup(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	job, _ := p.job(p.developer, p.project)
	r := p.ask("PUT", p.at("/pkgfeed"), pack("Acme.Core", "1.0.0"), basic("gitlab-ci-token", job))
	require.Equal(t, 201, r.Status, "%s", r.Body)
	shown := func(want int, who servertest.Persona) {
		t.Helper()
		for _, path := range []string{fmt.Sprintf("/groups/%d/packages", p.group.ID), p.at("")} {
			var list []struct {
				Pipeline  *struct{ ID int64 }
				Pipelines []struct{ ID int64 }
			}
			p.do(200, who.Token, "GET", path, nil).Into(t, &list)
			require.Len(t, list, 1, path)
			require.Len(t, list[0].Pipelines, want, path)
			require.Equal(t, want > 0, list[0].Pipeline != nil, path)
		}
	}
	shown(1, p.owner)
	shown(1, p.reporter)
	p.set(map[string]any{"builds_access_level": "disabled"})
	shown(0, p.owner)
	shown(0, p.reporter)
}
