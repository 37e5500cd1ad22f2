package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/store"
)

// estate is a hierarchy of groups with projects of every visibility in each, and users in every relation to them.
type estate struct {
	world
	groups   map[string]store.Group
	projects map[string]store.Project // by full path
	users    map[string]store.User
}

func newEstate(t *testing.T) estate {
	e := estate{newWorld(t), map[string]store.Group{}, map[string]store.Project{}, map[string]store.User{}}
	ctx := t.Context()
	for _, name := range []string{"owner", "deep", "guest", "minimal", "former", "single", "zoe"} {
		e.users[name] = e.user(name)
	}
	top := e.group("acme", nil, e.users["owner"].ID)
	below := e.group("web", &top, 0)
	e.groups["acme"], e.groups["acme/web"] = top, below
	for _, space := range []int64{top.ID, below.ID, e.users["zoe"].NamespaceID} {
		for _, v := range []store.Visibility{store.Private, store.Internal, store.Public} {
			p := store.NewProject(v.String(), v.String(), space)
			p.Visibility = v
			p, err := e.CreateProject(ctx, p, 0)
			require.NoError(t, err)
			e.projects[p.FullPath] = p
		}
	}
	yesterday := store.Today().Add(-1)
	single := e.projects["acme/private"].ID
	e.member(store.Member{UserID: e.users["deep"].ID, NamespaceID: &below.ID, AccessLevel: 40})
	e.member(store.Member{UserID: e.users["guest"].ID, NamespaceID: &top.ID, AccessLevel: 10})
	e.member(store.Member{UserID: e.users["minimal"].ID, NamespaceID: &top.ID, AccessLevel: 5})
	e.member(store.Member{UserID: e.users["former"].ID, NamespaceID: &top.ID, AccessLevel: 50, ExpiresAt: &yesterday})
	e.member(store.Member{UserID: e.users["single"].ID, ProjectID: &single, AccessLevel: 30})
	return e
}

// paths lists projects in the order of ids and names them shortly: "acme/web/private" is "acme/web 0".
func (e estate) paths(f store.ProjectFilter) string {
	e.t.Helper()
	list, total, err := e.Projects(e.t.Context(), f, store.Page{Limit: 100, Order: "id"})
	require.NoError(e.t, err)
	require.Equal(e.t, total, len(list))
	var paths []string
	for _, p := range list {
		paths = append(paths, p.FullPath)
	}
	return strings.Join(paths, " ")
}

// Who is listed which projects: anybody those that are open to him, members also the others.
func TestProjectsByWhoMaySeeThem(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	const (
		open     = "acme/public acme/web/public zoe/public"
		signed   = "acme/internal acme/public acme/web/internal acme/web/public zoe/internal zoe/public"
		everyone = "acme/private acme/internal acme/public acme/web/private acme/web/internal acme/web/public " +
			"zoe/private zoe/internal zoe/public"
	)
	for _, c := range []struct {
		user string
		open store.Visibility
		want string
	}{
		{"", store.Public, open},
		{"", store.Private, everyone},
		{"minimal", store.Internal, signed},
		{"former", store.Internal, signed},
		{"former", store.Public, open},
		{"guest", store.Public, "acme/private acme/internal acme/public acme/web/private acme/web/internal acme/web/public zoe/public"},
		{"deep", store.Public, "acme/public acme/web/private acme/web/internal acme/web/public zoe/public"},
		{"single", store.Public, "acme/private acme/public acme/web/public zoe/public"},
		{"zoe", store.Public, "acme/public acme/web/public zoe/private zoe/internal zoe/public"},
	} {
		require.Equal(t, c.want, e.paths(store.ProjectFilter{UserID: e.users[c.user].ID, Open: c.open}), "%s %s", c.user, c.open)
	}
	for _, c := range []struct {
		user string
		min  int
		want string
	}{
		{"", 5, ""},
		{"owner", 50, "acme/private acme/internal acme/public acme/web/private acme/web/internal acme/web/public"},
		{"deep", 40, "acme/web/private acme/web/internal acme/web/public"},
		{"deep", 50, ""},
		{"single", 30, "acme/private"},
		{"former", 5, ""},
		{"zoe", 50, "zoe/private zoe/internal zoe/public"},
	} {
		f := store.ProjectFilter{UserID: e.users[c.user].ID, Open: store.Internal, MinLevel: c.min}
		require.Equal(t, c.want, e.paths(f), "%s at least %d", c.user, c.min)
	}
	// What a list holds is what a look at each would find: the two are written down in two places.
	for name, u := range e.users {
		listed := strings.Fields(e.paths(store.ProjectFilter{UserID: u.ID, Open: store.Internal}))
		for path, p := range e.projects {
			found, err := e.ProjectFor(t.Context(), path, u.ID)
			require.NoError(t, err)
			require.Equal(t, found.Level >= 10 || p.Visibility >= store.Internal, slices.Contains(listed, path), "%s %s", name, path)
		}
	}
}

func TestProjectFilters(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	ctx := t.Context()
	p := e.projects["acme/web/public"]
	p.Topics, p.Archived, p.Settings.IssuesAccess = []string{"go", "web"}, true, "disabled"
	text, today := "100% of it_all", store.Today()
	p.Description, p.CustomAttributes = &text, map[string]string{"team": "red"}
	p, err := e.UpdateProject(ctx, p)
	require.NoError(t, err)
	q := e.projects["zoe/private"]
	q.MarkedForDeletionOn = &today
	_, err = e.UpdateProject(ctx, q)
	require.NoError(t, err)
	_, err = e.Star(ctx, p.ID, e.users["deep"].ID)
	require.NoError(t, err)

	yes, no, private := true, false, store.Private
	early, late := p.CreatedAt.AddDate(0, 0, -1), p.CreatedAt.AddDate(0, 0, 1)
	for name, c := range map[string]struct {
		f    store.ProjectFilter
		want string
	}{
		"in a group":        {store.ProjectFilter{NamespaceID: e.groups["acme"].ID}, "acme/private acme/internal acme/public"},
		"and below":         {store.ProjectFilter{NamespaceID: e.groups["acme"].ID, Deep: true, Visibility: &private}, "acme/private acme/web/private"},
		"archived":          {store.ProjectFilter{Archived: &yes}, p.FullPath},
		"inactive":          {store.ProjectFilter{Active: &no}, p.FullPath + " zoe/private"},
		"marked":            {store.ProjectFilter{MarkedOn: &today}, "zoe/private"},
		"topics":            {store.ProjectFilter{Topics: []string{"web", "go"}}, p.FullPath},
		"no such topic":     {store.ProjectFilter{Topics: []string{"web", "c"}}, ""},
		"attributes":        {store.ProjectFilter{Attributes: map[string]string{"team": "red"}}, p.FullPath},
		"no wildcards":      {store.ProjectFilter{Search: "100% OF IT_"}, p.FullPath},
		"search is literal": {store.ProjectFilter{Search: "%"}, p.FullPath},
		"names above":       {store.ProjectFilter{Search: "acme / web", SearchNamespaces: true, Visibility: &private}, "acme/web/private"},
		"without issues":    {store.ProjectFilter{NamespaceID: e.groups["acme/web"].ID, WithIssues: true}, "acme/web/private acme/web/internal"},
		"with requests":     {store.ProjectFilter{NamespaceID: e.groups["acme/web"].ID, WithRequests: true, Archived: &yes}, p.FullPath},
		"starred":           {store.ProjectFilter{StarredBy: e.users["deep"].ID}, p.FullPath},
		"storage":           {store.ProjectFilter{Storage: "elsewhere"}, ""},
		"between ids":       {store.ProjectFilter{IDAfter: p.ID - 1, IDBefore: p.ID + 1}, p.FullPath},
		"too late":          {store.ProjectFilter{ActiveAfter: &late}, ""},
		"too early":         {store.ProjectFilter{UpdatedBefore: &early}, ""},
		"in between":        {store.ProjectFilter{ActiveAfter: &early, ActiveBefore: &late, UpdatedAfter: &early, UpdatedBefore: &late, Archived: &yes}, p.FullPath},
		"nothing":           {store.ProjectFilter{None: true}, ""},
	} {
		require.Equal(t, c.want, e.paths(c.f), name)
	}
}

func TestProjectOrders(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	for name := range store.ProjectOrders() {
		list, total, err := e.Projects(t.Context(), store.ProjectFilter{Search: "a"}, store.Page{Limit: 2, Order: name, Desc: true})
		require.NoError(t, err, name)
		require.Len(t, list, 2, name)
		require.Equal(t, 6, total, name)
	}
	near := e.project("pub", e.groups["acme"].ID, 0)
	list, _, err := e.Projects(t.Context(), store.ProjectFilter{Search: "pub"}, store.Page{Limit: 1, Order: "similarity", Desc: true})
	require.NoError(t, err)
	require.Equal(t, near.ID, list[0].ID, "the nearest is first")

	var walked []int64
	f := store.ProjectFilter{NamespaceID: e.groups["acme"].ID, Deep: true}
	for {
		page, total, err := e.Projects(t.Context(), f, store.Page{Limit: 2, Order: "id", ByKey: true, Desc: true})
		require.NoError(t, err)
		require.Equal(t, -1, total)
		if len(page) == 0 {
			break
		}
		for _, p := range page {
			walked = append(walked, p.ID)
		}
		f.IDBefore = walked[len(walked)-1]
	}
	require.Len(t, walked, 7)
	require.True(t, slices.IsSortedFunc(walked, func(a, b int64) int { return int(b - a) }), "%v", walked)
}

// What somebody is in a project, by where it comes from; one query for a page.
func TestProjectAccess(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	var all []store.Project
	for _, path := range []string{"acme/private", "acme/web/private", "zoe/private"} {
		all = append(all, e.projects[path])
	}
	for user, want := range map[string]string{
		"owner": "0/50 0/50 0/0", "deep": "0/0 0/40 0/0", "single": "30/0 0/0 0/0", "zoe": "0/0 0/0 50/0", "former": "0/0 0/0 0/0",
	} {
		access, err := e.ProjectAccess(t.Context(), all, e.users[user].ID)
		require.NoError(t, err)
		var got []string
		for _, p := range all {
			got = append(got, fmt.Sprintf("%d/%d", access[p.ID].Project, access[p.ID].Group))
		}
		require.Equal(t, want, strings.Join(got, " "), user)
	}
}

func TestStars(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	ctx := t.Context()
	p, u := e.projects["acme/public"], e.users["zoe"]
	for _, step := range []struct {
		do      func() (bool, error)
		changed bool
		count   int
	}{
		{func() (bool, error) { return e.Unstar(ctx, p.ID, u.ID) }, false, 0},
		{func() (bool, error) { return e.Star(ctx, p.ID, u.ID) }, true, 1},
		{func() (bool, error) { return e.Star(ctx, p.ID, u.ID) }, false, 1},
		{func() (bool, error) { return e.Star(ctx, p.ID, e.users["deep"].ID) }, true, 2},
		{func() (bool, error) { return e.Unstar(ctx, p.ID, u.ID) }, true, 1},
	} {
		changed, err := step.do()
		require.NoError(t, err)
		require.Equal(t, step.changed, changed)
		after, err := e.Project(ctx, p.ID)
		require.NoError(t, err)
		require.Equal(t, step.count, after.StarCount)
	}
}
