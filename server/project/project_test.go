package project_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
)

// estate is a hierarchy of groups with projects of every visibility in each, and users in every
// relation to them.
type estate struct {
	servertest.World
	t        *testing.T
	groups   map[string]tree.Group
	projects map[string]tree.Project // by full path
	users    map[string]tree.User
}

func newEstate(t *testing.T) estate {
	e := estate{servertest.NewWorld(t), t, map[string]tree.Group{}, map[string]tree.Project{}, map[string]tree.User{}}
	ctx := t.Context()
	for _, name := range []string{"owner", "deep", "guest", "minimal", "former", "single", "zoe"} {
		e.users[name] = e.User(name)
	}
	top := e.Group("acme", nil, e.users["owner"].ID)
	below := e.Group("web", &top, 0)
	e.groups["acme"], e.groups["acme/web"] = top, below
	for _, space := range []int64{top.ID, below.ID, e.users["zoe"].NamespaceID} {
		for _, v := range []db.Visibility{db.Private, db.Internal, db.Public} {
			p := tree.NewProject(v.String(), v.String(), space)
			p.Visibility = v
			p, err := project.InsertProject(ctx, e.Store, p, 0)
			require.NoError(t, err)
			e.projects[p.FullPath] = p
		}
	}
	yesterday := db.Today().Add(-1)
	single := e.projects["acme/private"].ID
	e.Member(group.Member{UserID: e.users["deep"].ID, NamespaceID: &below.ID, AccessLevel: 40})
	e.Member(group.Member{UserID: e.users["guest"].ID, NamespaceID: &top.ID, AccessLevel: 10})
	e.Member(group.Member{UserID: e.users["minimal"].ID, NamespaceID: &top.ID, AccessLevel: 5})
	e.Member(group.Member{UserID: e.users["former"].ID, NamespaceID: &top.ID, AccessLevel: 50, ExpiresAt: &yesterday})
	e.Member(group.Member{UserID: e.users["single"].ID, ProjectID: &single, AccessLevel: 30})
	return e
}

// paths lists projects in the order of ids and names them shortly: "acme/web/private" is "acme/web
// 0".
func (e estate) paths(f project.ProjectFilter) string {
	e.t.Helper()
	list, total, err := project.Projects(e.t.Context(), e.Store, f, db.Page{Limit: 100, Order: "id"})
	require.NoError(e.t, err)
	require.Equal(e.t, total, len(list))
	var paths []string
	for _, p := range list {
		paths = append(paths, p.FullPath)
	}
	return strings.Join(paths, " ")
}

// Everybody is listed the projects that are open to them, and members also the others.
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
		open db.Visibility
		want string
	}{
		{"", db.Public, open},
		{"", db.Private, everyone},
		{"minimal", db.Internal, signed},
		{"former", db.Internal, signed},
		{"former", db.Public, open},
		{"guest", db.Public,
			"acme/private acme/internal acme/public acme/web/private acme/web/internal acme/web/public zoe/public"},
		{"deep", db.Public, "acme/public acme/web/private acme/web/internal acme/web/public zoe/public"},
		{"single", db.Public, "acme/private acme/public acme/web/public zoe/public"},
		{"zoe", db.Public, "acme/public acme/web/public zoe/private zoe/internal zoe/public"},
	} {
		require.Equal(t, c.want, e.paths(project.ProjectFilter{UserID: e.users[c.user].ID, Open: c.open}), "%s %s",
			c.user, c.open)
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
		f := project.ProjectFilter{UserID: e.users[c.user].ID, Open: db.Internal, MinLevel: c.min}
		require.Equal(t, c.want, e.paths(f), "%s at least %d", c.user, c.min)
	}
	// A list has exactly the projects that can be read one by one: two conditions must agree.
	for name, u := range e.users {
		listed := strings.Fields(e.paths(project.ProjectFilter{UserID: u.ID, Open: db.Internal}))
		for path, p := range e.projects {
			found, err := tree.ProjectFor(t.Context(), e.Store, path, u.ID)
			require.NoError(t, err)
			require.Equal(
				t, found.Level >= 10 || p.Visibility >= db.Internal, slices.Contains(listed, path), "%s %s", name, path,
			)
		}
	}
}

func TestProjectFilters(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	ctx := t.Context()
	p := e.projects["acme/web/public"]
	p.Topics, p.Archived, p.Settings.IssuesAccess = []string{"go", "web"}, true, "disabled"
	text, today := "100% of it_all", db.Today()
	p.Description, p.CustomAttributes = &text, map[string]string{"team": "red"}
	p, err := project.UpdateProject(ctx, e.Store, p)
	require.NoError(t, err)
	q := e.projects["zoe/private"]
	q.MarkedForDeletionOn = &today
	_, err = project.UpdateProject(ctx, e.Store, q)
	require.NoError(t, err)
	_, err = project.Star(ctx, e.Store, p.ID, e.users["deep"].ID)
	require.NoError(t, err)

	yes, no, private := true, false, db.Private
	early, late := p.CreatedAt.AddDate(0, 0, -1), p.CreatedAt.AddDate(0, 0, 1)
	for name, c := range map[string]struct {
		f    project.ProjectFilter
		want string
	}{
		"in a group": {
			project.ProjectFilter{NamespaceID: e.groups["acme"].ID}, "acme/private acme/internal acme/public",
		},
		"and below": {project.ProjectFilter{NamespaceID: e.groups["acme"].ID, Deep: true, Visibility: &private},
			"acme/private acme/web/private"},
		"archived":          {project.ProjectFilter{Archived: &yes}, p.FullPath},
		"inactive":          {project.ProjectFilter{Active: &no}, p.FullPath + " zoe/private"},
		"marked":            {project.ProjectFilter{MarkedOn: &today}, "zoe/private"},
		"topics":            {project.ProjectFilter{Topics: []string{"web", "go"}}, p.FullPath},
		"no such topic":     {project.ProjectFilter{Topics: []string{"web", "c"}}, ""},
		"attributes":        {project.ProjectFilter{Attributes: map[string]string{"team": "red"}}, p.FullPath},
		"no wildcards":      {project.ProjectFilter{Search: "100% OF IT_"}, p.FullPath},
		"search is literal": {project.ProjectFilter{Search: "%"}, p.FullPath},
		"names above": {project.ProjectFilter{Search: "acme / web", SearchNamespaces: true, Visibility: &private},
			"acme/web/private"},
		"without issues": {project.ProjectFilter{NamespaceID: e.groups["acme/web"].ID, WithIssues: true},
			"acme/web/private acme/web/internal"},
		"with requests": {
			project.ProjectFilter{NamespaceID: e.groups["acme/web"].ID, WithRequests: true, Archived: &yes}, p.FullPath,
		},
		"starred":     {project.ProjectFilter{StarredBy: e.users["deep"].ID}, p.FullPath},
		"storage":     {project.ProjectFilter{Storage: "elsewhere"}, ""},
		"between ids": {project.ProjectFilter{IDAfter: p.ID - 1, IDBefore: p.ID + 1}, p.FullPath},
		"too late":    {project.ProjectFilter{ActiveAfter: &late}, ""},
		"too early":   {project.ProjectFilter{UpdatedBefore: &early}, ""},
		"in between": {project.ProjectFilter{ActiveAfter: &early, ActiveBefore: &late, UpdatedAfter: &early,
			UpdatedBefore: &late, Archived: &yes}, p.FullPath},
		"nothing": {project.ProjectFilter{None: true}, ""},
	} {
		require.Equal(t, c.want, e.paths(c.f), name)
	}
}

func TestProjectOrders(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	for name := range project.ProjectOrders {
		list, total, err := project.Projects(
			t.Context(), e.Store, project.ProjectFilter{Search: "a"}, db.Page{Limit: 2, Order: name, Desc: true},
		)
		require.NoError(t, err, name)
		require.Len(t, list, 2, name)
		require.Equal(t, 6, total, name)
	}
	near := e.Project("pub", e.groups["acme"].ID, 0)
	list, _, err := project.Projects(
		t.Context(), e.Store, project.ProjectFilter{Search: "pub"}, db.Page{Limit: 1, Order: "similarity", Desc: true},
	)
	require.NoError(t, err)
	require.Equal(t, near.ID, list[0].ID, "the nearest is first")

	var walked []int64
	f := project.ProjectFilter{NamespaceID: e.groups["acme"].ID, Deep: true}
	for {
		page, total, err := project.Projects(
			t.Context(), e.Store, f, db.Page{Limit: 2, Order: "id", ByKey: true, Desc: true},
		)
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

// The access of a user to projects, by its source. A page takes one query.
func TestProjectAccess(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	var all []tree.Project
	for _, path := range []string{"acme/private", "acme/web/private", "zoe/private"} {
		all = append(all, e.projects[path])
	}
	for user, want := range map[string]string{
		"owner": "0/50 0/50 0/0", "deep": "0/0 0/40 0/0", "single": "30/0 0/0 0/0", "zoe": "0/0 0/0 50/0",
		"former": "0/0 0/0 0/0",
	} {
		access, err := project.AccessTo(t.Context(), e.Store, all, e.users[user].ID)
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
		{func() (bool, error) { return project.Unstar(ctx, e.Store, p.ID, u.ID) }, false, 0},
		{func() (bool, error) { return project.Star(ctx, e.Store, p.ID, u.ID) }, true, 1},
		{func() (bool, error) { return project.Star(ctx, e.Store, p.ID, u.ID) }, false, 1},
		{func() (bool, error) { return project.Star(ctx, e.Store, p.ID, e.users["deep"].ID) }, true, 2},
		{func() (bool, error) { return project.Unstar(ctx, e.Store, p.ID, u.ID) }, true, 1},
	} {
		changed, err := step.do()
		require.NoError(t, err)
		require.Equal(t, step.changed, changed)
		after, err := tree.FindProject(ctx, e.Store, p.ID)
		require.NoError(t, err)
		require.Equal(t, step.count, after.StarCount)
	}
}
