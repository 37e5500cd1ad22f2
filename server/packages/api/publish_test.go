package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
)

// race publishes 50 times at once and returns how often each status was answered.
func (p shop) race(publish func(n int) servertest.Reply) map[int]int {
	statuses := make([]int, 50)
	var all sync.WaitGroup
	for n := range statuses {
		all.Go(func() { statuses[n] = publish(n).Status })
	}
	all.Wait()
	counts := map[int]int{}
	for _, s := range statuses {
		counts[s]++
	}
	return counts
}

// shownPackage is a package as the packages API shows it.
type shownPackage struct {
	ID      int64
	Version string
}

func (p shop) packages(query string) (list []shownPackage) {
	p.Helper()
	p.do(200, p.owner.Token, "GET", p.at("?per_page=100"+query), nil).Into(p, &list)
	return list
}

func (p shop) files(id int64) (list []struct{ ID int64 }) {
	p.Helper()
	p.do(200, p.owner.Token, "GET", p.at(fmt.Sprintf("/%d/package_files?per_page=100", id)), nil).Into(p, &list)
	return list
}

// Of those who publish a version at once one makes the package, and the others are treated as the
// settings say.
func TestConcurrentPushes(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	push := func(version string) func(int) servertest.Reply {
		return func(n int) servertest.Reply {
			body := pack("Acme.Core", version, fmt.Sprintf("<description>%d</description>", n))
			return p.ask("PUT", p.at("/pkgfeed"), body, basic("x", p.developer.Token))
		}
	}
	require.Equal(t, map[int]int{201: 50}, p.race(push("1.0.0")))
	list := p.packages("")
	require.Len(t, list, 1)
	require.Len(t, p.files(list[0].ID), 50)

	p.settings(map[string]any{"nuget_duplicates_allowed": false, "nuget_duplicate_exception_regex": `3\..*`})
	require.Equal(t, map[int]int{201: 1, 409: 49}, p.race(push("2.0.0")))
	require.Equal(t, map[int]int{201: 50}, p.race(push("3.0.0")))
	require.Equal(t, map[int]int{409: 50}, p.race(push("1.0")))
	require.Len(t, p.packages(""), 3)

	generic := func(n int) servertest.Reply {
		return p.ask("PUT", p.at("/generic/tool/1/f"), fmt.Sprint(n), basic("x", p.developer.Token))
	}
	require.Equal(t, map[int]int{201: 50}, p.race(generic))
	p.settings(map[string]any{"generic_duplicates_allowed": false})
	other := func(n int) servertest.Reply {
		return p.ask("PUT", p.at("/generic/tool/1/other"), fmt.Sprint(n), basic("x", p.developer.Token))
	}
	require.Equal(t, map[int]int{201: 1, 400: 49}, p.race(other))
	// Deletions meanwhile: every publication makes its package again.
	require.NotContains(t, p.race(func(n int) servertest.Reply {
		if n%2 == 0 {
			return p.ask("DELETE", p.at("/pkgfeed/Acme.Core/3.0.0"), nil, basic("x", p.owner.Token))
		}
		return push("3.0.0")(n)
	}), 500)
	same, err := db.Value[bool](t.Context(), p.s.Store, `
		select (select count(*) from packages where project_id = @id and type = 'nuget') =
		       (select coalesce(sum(versions), 0) from package_names where project_id = @id and type = 'nuget')`,
		pgx.NamedArgs{"id": p.project.ID})
	require.NoError(t, err)
	require.True(t, same, "the versions are counted")
}

// Rules protect packages from users, deploy tokens and jobs below a level. Names of NuGet packages
// match in any case, the others as they are written, and only * stands for other characters.
func TestProtection(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	rule := func(pattern, kind, push, remove string) {
		t.Helper()
		body := map[string]any{"package_name_pattern": pattern, "package_type": kind}
		if push != "" {
			body["minimum_access_level_for_push"] = push
		}
		if remove != "" {
			body["minimum_access_level_for_delete"] = remove
		}
		p.do(201, p.owner.Token, "POST", p.at("/protection/rules"), body)
	}
	rule("ACME.*", "nuget", "maintainer", "owner")
	rule("Secret_1", "nuget", "owner", "")
	rule("Root*", "nuget", "admin", "")
	rule("Tool*", "generic", "maintainer", "admin")
	write := p.deployToken(fmt.Sprintf("/projects/%d", p.project.ID), "write_package_registry")
	job, _ := p.job(p.developer, p.project)
	developer, deploy := basic("x", p.developer.Token), basic(write.Username, write.Token)
	jobs, maintainer := basic("gitlab-ci-token", job), basic("x", p.maintainer.Token)
	owner, root := basic("x", p.owner.Token), basic("x", p.s.RootToken)
	for _, c := range []struct {
		by   sign
		id   string
		want int
	}{
		{developer, "acme.core", 403}, {deploy, "Acme.Core", 403}, {jobs, "aCME.core", 403},
		{maintainer, "acme.core", 201}, {developer, "acme", 201}, {developer, "acmexcore", 201},
		{developer, "x.acme.y", 201}, {maintainer, "SECRET_1", 403}, {owner, "secret_1", 201},
		{developer, "secretx1", 201}, {deploy, "secret_12", 201},
		{owner, "root", 403}, {owner, "rooted.core", 403}, {root, "root", 201},
	} {
		r := p.ask("PUT", p.at("/pkgfeed"), pack(c.id, "1.0.0"), c.by)
		require.Equal(t, c.want, r.Status, "%s: %s", c.id, r.Body)
	}
	for path, want := range map[string]int{
		"/generic/Tooling/1/f": 403, "/generic/tool/1/f": 201, "/generic/To*l/1/f": 400,
	} {
		require.Equal(t, want, p.ask("PUT", p.at(path), "x", developer).Status, path)
	}
	require.Equal(t, 201, p.ask("PUT", p.at("/generic/Tool/1/f"), "x", maintainer).Status)
	tool := p.packages("&package_name=Tool&package_type=generic&sort=desc")[0]
	file := p.at(fmt.Sprintf("/%d/package_files/%d", tool.ID, p.files(tool.ID)[0].ID))
	require.Equal(t, 403, p.ask("DELETE", p.at("/pkgfeed/ACME.Core/1.0.0"), nil, maintainer).Status)
	require.Equal(t, 204, p.ask("DELETE", p.at("/pkgfeed/ACME.Core/1.0.0"), nil, owner).Status)
	require.Equal(t, 204, p.ask("DELETE", p.at("/pkgfeed/secret_1/1.0.0"), nil, maintainer).Status)
	require.Equal(t, 403, p.ask("DELETE", file, nil, owner).Status)
	require.Equal(t, 403, p.ask("DELETE", p.at(fmt.Sprint("/", tool.ID)), nil, owner).Status)
	require.Equal(t, 204, p.ask("DELETE", file, nil, root).Status)
	require.Equal(t, 204, p.ask("DELETE", p.at(fmt.Sprint("/", tool.ID)), nil, root).Status)
}

// Nobody publishes to, or deletes from, an archived project or one that is to be deleted.
func TestClosedProjects(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	p.push("Acme.Core", "1.0.0")
	project := fmt.Sprintf("/projects/%d", p.project.ID)
	closed := func(want int) {
		t.Helper()
		for _, path := range []string{"/pkgfeed", "/generic/tool/1/f"} {
			body := pack("Acme.Core", "2.0.0")
			require.Equal(t, want, p.ask("PUT", p.at(path), body, basic("x", p.owner.Token)).Status)
		}
		require.Equal(t, want, p.ask("DELETE", p.at("/pkgfeed/acme.core/1.0.0"), nil, basic("x", p.owner.Token)).Status)
	}
	p.do(201, p.owner.Token, "POST", project+"/archive", nil)
	closed(403)
	require.Equal(t, []string{"Acme.Core"}, p.found(basic("x", p.owner.Token)))
	require.Equal(t, 200, p.ask("GET", p.at("/pkgfeed/query"), nil, basic("x", p.reporter.Token)).Status)
	p.do(201, p.owner.Token, "POST", project+"/unarchive", nil)
	p.do(http.StatusAccepted, p.owner.Token, "DELETE", project, nil)
	read := p.ask("GET", p.at("/pkgfeed/query"), nil, basic("x", p.owner.Token))
	found := p.found(basic("x", p.owner.Token))
	require.Equal(t, read.Status == 200, slices.Contains(found, "Acme.Core"), "%d %v", read.Status, found)
	closed(403)
}
