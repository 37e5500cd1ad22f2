package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// found returns the names that a search in the feed of the group finds.
func (p shop) found(signs ...sign) []string {
	p.Helper()
	var v struct {
		TotalHits int
		Data      []struct{ ID string }
	}
	p.ask("GET", p.feed("/query"), nil, signs...).Into(p, &v)
	names := []string{}
	for _, r := range v.Data {
		names = append(names, r.ID)
	}
	require.Equal(p, v.TotalHits, len(names))
	return names
}

// The feed of a group has what the caller may read, and nothing else (GitLab issue 386804).
func TestGroupFeed(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	sub := p.newGroup("sub", map[string]any{"parent_id": p.group.ID})
	other, deep := p.newProject("other", p.group), p.newProject("deep", sub)
	for name, of := range map[string]servertest.Made{"Acme.Core": p.project, "Acme.Other": other, "Acme.Deep": deep} {
		p.do(201, p.owner.Token, "PUT", fmt.Sprintf("/projects/%d/packages/nuget", of.ID), pack(name, "1.0.0"))
	}
	as := func(who servertest.Persona) sign { return basic("x", who.Token) }
	require.Equal(t, []string{"Acme.Core", "Acme.Deep", "Acme.Other"}, p.found(as(p.owner)))
	require.Equal(t, []string{"Acme.Core"}, p.found(as(p.reporter)), "a member of one project")
	require.Equal(t, []string{}, p.found(as(p.guest)))
	require.Equal(t, 404, p.ask("GET", p.feed("/query"), nil, as(p.stranger)).Status)
	ofGroup := p.deployToken(fmt.Sprintf("/groups/%d", p.group.ID), "read_package_registry")
	require.Equal(t, []string{"Acme.Core", "Acme.Deep", "Acme.Other"}, p.found(basic(ofGroup.Username, ofGroup.Token)))
	ofSub := p.deployToken(fmt.Sprintf("/groups/%d", sub.ID), "read_package_registry")
	require.Equal(t, 404, p.ask("GET", p.feed("/query"), nil, basic(ofSub.Username, ofSub.Token)).Status)

	for _, path := range []string{
		"/download/acme.deep/index.json", "/metadata/acme.deep/index.json", "/metadata/acme.deep/1.0.0.json",
		"/download/acme.deep/1.0.0/acme.deep.1.0.0.nupkg",
	} {
		require.Equal(t, 200, p.ask("GET", p.feed(path), nil, as(p.owner)).Status, path)
		require.Equal(t, 404, p.ask("GET", p.feed(path), nil, as(p.reporter)).Status, path)
	}
	names := func(token string) (names []string) {
		var list []struct{ Name string }
		p.do(200, token, "GET", fmt.Sprintf("/groups/%d/packages?order_by=name", p.group.ID), nil).Into(t, &list)
		for _, one := range list {
			names = append(names, one.Name)
		}
		return names
	}
	require.Equal(t, []string{"Acme.Core", "Acme.Deep", "Acme.Other"}, names(p.owner.Token))
	require.Equal(t, []string{"Acme.Core"}, names(p.reporter.Token))

	p.set(map[string]any{"packages_enabled": false})
	require.Equal(t, []string{"Acme.Deep", "Acme.Other"}, p.found(as(p.owner)))
	require.Equal(t, []string{"Acme.Deep", "Acme.Other"}, p.found(as(servertest.Persona{Token: p.s.RootToken})))
	p.set(map[string]any{"packages_enabled": true, "package_registry_access_level": "public"})
	require.Equal(t, []string{"Acme.Core"}, p.found(as(p.guest)), "anybody may read it")
}

// A version that several projects of a group publish is there once.
func TestGroupFeedHasVersionsOnce(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	other := p.newProject("other", p.group)
	p.push("Acme.Core", "1.0", "<description>older</description>")
	p.push("Acme.Core", "2.0.0")
	p.do(201, p.owner.Token, "PUT", fmt.Sprintf("/projects/%d/packages/nuget", other.ID),
		pack("ACME.core", "1.0.0", "<description>newer</description>"))
	as := basic("x", p.owner.Token)
	var index struct {
		Items []struct {
			Count int
			Items []struct {
				CatalogEntry struct{ Version, Description string }
			}
		}
	}
	p.ask("GET", p.feed("/metadata/acme.core/index.json"), nil, as).Into(t, &index)
	require.Equal(t, 2, index.Items[0].Count)
	require.Len(t, index.Items[0].Items, 2)
	require.Equal(t, "newer", index.Items[0].Items[0].CatalogEntry.Description)
	var versions struct{ Versions []string }
	p.ask("GET", p.feed("/download/acme.core/index.json"), nil, as).Into(t, &versions)
	require.Equal(t, []string{"1.0.0", "2.0.0"}, versions.Versions)
	var search struct {
		TotalHits int
		Data      []struct {
			Versions []struct{ Version string }
		}
	}
	p.ask("GET", p.feed("/query?q=CORE"), nil, as).Into(t, &search)
	require.Equal(t, 1, search.TotalHits)
	require.Len(t, search.Data[0].Versions, 2)
}

// Addresses can end in .json, and in a slash.
func TestForms(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	for _, segment := range []string{"/nuget", "/pkgfeed"} {
		for _, form := range []string{"", "/", "/v2", "/v2/"} {
			p.do(201, p.owner.Token, "PUT", p.at(segment+form), pack("Newtonsoft.Json", "13.0.1"))
		}
		p.do(201, p.owner.Token, "PUT", p.at(segment+"/symbolpackage/"), pack("Newtonsoft.Json", "13.0.1", symbols))
		for _, prefix := range []string{
			p.at(segment), fmt.Sprintf("/groups/%d/-/packages%s", p.group.ID, segment),
			"/projects/testforms%2Flib/packages" + segment, "/groups/testforms/-/packages" + segment,
		} {
			for _, path := range []string{
				"/index", "/index.json", "/index/", "/v2", "/v2/", "/v2/$metadata",
				"/query", "/query.json", "/query/?q=json",
				"/metadata/newtonsoft.json/index", "/metadata/newtonsoft.json/index.json", "/metadata/Newtonsoft.Json/index/",
				"/metadata/newtonsoft.json/13.0.1", "/metadata/newtonsoft.json/13.0.1.json",
				"/metadata/newtonsoft.json/13.0.1.0/",
				"/download/newtonsoft.json/index", "/download/newtonsoft.json/index.json", "/download/newtonsoft.json/index/",
				"/download/newtonsoft.json/13.0.1/newtonsoft.json.13.0.1.nupkg",
				"/download/Newtonsoft.Json/13.0.1.0/Newtonsoft.Json.13.0.1.nupkg",
			} {
				p.do(200, p.owner.Token, "GET", prefix+path, nil)
			}
		}
		p.do(204, p.owner.Token, "DELETE", p.at(segment+"/Newtonsoft.Json/13.0.1"), nil)
	}
	p.do(201, p.owner.Token, "PUT", p.at("/generic/tool/1.0/config.json"), "a=1")
	r := p.do(200, p.owner.Token, "GET", p.at("/generic/tool/1.0/config.json"), nil)
	require.Equal(t, "a=1", string(r.Body))
	require.Equal(t, "attachment; filename=config.json", r.Header.Get("Content-Disposition"))
}
