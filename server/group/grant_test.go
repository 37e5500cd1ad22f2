package group_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/project"
	"hew/server/tree"
)

// The level of a user in a group, in a subgroup of it and in a project of that, from all sources.
// Guards, lists of groups and projects, and lists of members must agree on it.
//
// The groups are acme and acme/web with the project acme/web/site, and corp, corp/crew and
// corp/crew/inner, which are invited; staff is a third one.
func TestGrants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	today, tomorrow := db.Today(), db.Today().Add(1)
	type member struct {
		in    string
		level int
		until *db.Date
	}
	type share struct {
		of, with string
		level    int
		until    *db.Date
	}
	for name, c := range map[string]struct {
		members         []member
		shares          []share
		acme, web, site int
	}{
		"nothing":                {},
		"member":                 {[]member{{"acme", 30, nil}}, nil, 30, 30, 30},
		"member of the subgroup": {[]member{{"web", 30, nil}}, nil, 0, 30, 30},
		"member of the project":  {[]member{{"site", 30, nil}}, nil, 0, 0, 30},
		"the highest counts": {
			[]member{{"acme", 20, nil}, {"web", 40, nil}, {"site", 30, nil}}, nil, 20, 40, 40,
		},
		"minimal access":        {[]member{{"acme", 5, nil}}, nil, 5, 5, 5},
		"member until tomorrow": {[]member{{"acme", 30, &tomorrow}}, nil, 30, 30, 30},
		"expired member":        {[]member{{"acme", 30, &today}}, nil, 0, 0, 0},
		"share of the group": {
			[]member{{"crew", 30, nil}}, []share{{"acme", "crew", 40, nil}}, 30, 30, 30,
		},
		"share goes as far as its level": {
			[]member{{"crew", 50, nil}}, []share{{"acme", "crew", 20, nil}}, 20, 20, 20,
		},
		"share of the subgroup": {
			[]member{{"crew", 30, nil}}, []share{{"web", "crew", 30, nil}}, 0, 30, 30,
		},
		"share of the project": {
			[]member{{"crew", 30, nil}}, []share{{"site", "crew", 20, nil}}, 0, 0, 20,
		},
		"share until tomorrow": {
			[]member{{"crew", 30, nil}}, []share{{"acme", "crew", 30, &tomorrow}}, 30, 30, 30,
		},
		"expired share": {
			[]member{{"crew", 30, nil}}, []share{{"acme", "crew", 30, &today}, {"site", "crew", 30, &today}}, 0, 0, 0,
		},
		"expired member of the invited": {
			[]member{{"crew", 30, &today}}, []share{{"acme", "crew", 30, nil}, {"site", "crew", 30, nil}}, 0, 0, 0,
		},
		"minimal access to the invited": {
			[]member{{"corp", 5, nil}}, []share{{"acme", "corp", 30, nil}, {"site", "corp", 30, nil}}, 0, 0, 0,
		},
		"inherited in the invited, group": {
			[]member{{"corp", 30, nil}}, []share{{"acme", "crew", 30, nil}}, 0, 0, 0,
		},
		"inherited in the invited, project": {
			[]member{{"corp", 30, nil}}, []share{{"site", "crew", 20, nil}}, 0, 0, 20,
		},
		"member below the invited": {
			[]member{{"inner", 50, nil}}, []share{{"acme", "crew", 50, nil}, {"site", "crew", 50, nil}}, 0, 0, 0,
		},
		"the invited is shared itself, group": {
			[]member{{"staff", 40, nil}}, []share{{"crew", "staff", 40, nil}, {"acme", "crew", 40, nil}}, 0, 0, 0,
		},
		"the invited is shared itself, project": {
			[]member{{"staff", 40, nil}}, []share{{"crew", "staff", 30, nil}, {"site", "crew", 40, nil}}, 0, 0, 30,
		},
		"shared above the invited, project": {
			[]member{{"staff", 40, nil}}, []share{{"corp", "staff", 30, nil}, {"site", "crew", 20, nil}}, 0, 0, 20,
		},
		"two shares": {
			[]member{{"crew", 20, nil}, {"staff", 40, nil}},
			[]share{{"acme", "crew", 40, nil}, {"acme", "staff", 30, nil}}, 30, 30, 30,
		},
		"a member who is invited, too": {
			[]member{{"acme", 20, nil}, {"crew", 40, nil}}, []share{{"web", "crew", 30, nil}}, 20, 30, 30,
		},
		"a share below a membership": {
			[]member{{"acme", 40, nil}, {"crew", 40, nil}}, []share{{"site", "crew", 10, nil}}, 40, 40, 40,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world{w.In(t), t}
			prefix := strings.NewReplacer(" ", "-", ",", "").Replace(name) + "-"
			user := w.User(prefix + "user")
			groups := map[string]tree.Group{}
			for _, path := range []string{"acme", "corp", "staff"} {
				groups[path] = w.Group(prefix+path, nil, 0)
			}
			below := func(path, parent string) { g := groups[parent]; groups[path] = w.Group(path, &g, 0) }
			below("web", "acme")
			below("crew", "corp")
			below("inner", "crew")
			site := w.Project("site", groups["web"].ID, 0)
			source := func(path string) tree.Source {
				if path == "site" {
					return tree.InProject(site)
				}
				return tree.InGroup(groups[path])
			}
			for _, m := range c.members {
				row := group.NewMember(source(m.in), user.ID, m.level)
				row.ExpiresAt = m.until
				w.Member(row)
			}
			for _, s := range c.shares {
				row := group.NewShare(source(s.of), groups[s.with], s.level)
				row.ExpiresAt = s.until
				_, err := group.InsertShare(t.Context(), w.Store, row)
				require.NoError(t, err)
			}
			for path, want := range map[string]int{"acme": c.acme, "web": c.web, "site": c.site} {
				w.holdsEverywhere(user, groups[path], source(path), site, want, path)
			}
		})
	}
}

// holdsEverywhere asks in every way for the level of a user in a group, or in the project if that
// is the path.
func (w world) holdsEverywhere(user tree.User, g tree.Group, src tree.Source, p tree.Project, want int, path string) {
	w.t.Helper()
	ctx, t := w.t.Context(), w.t
	var found int
	var listed, least bool
	one := db.Page{Limit: 1}
	if path == "site" {
		at, err := tree.ProjectFor(ctx, w.Store, p.FullPath, user.ID)
		require.NoError(t, err)
		access, err := project.AccessTo(ctx, w.Store, []tree.Project{p}, user.ID)
		require.NoError(t, err)
		require.Equal(t, access[p.ID], project.AccessOf(at))
		require.Equal(t, at.Level, access[p.ID].Level())
		f := project.ProjectFilter{UserID: user.ID, Open: db.Public, NamespaceID: p.NamespaceID}
		_, n, err := project.Projects(ctx, w.Store, f, one)
		require.NoError(t, err)
		f.MinLevel = max(want, 10)
		_, atLeast, err := project.Projects(ctx, w.Store, f, one)
		require.NoError(t, err)
		found, listed, least = at.Level, n == 1, atLeast == 1
	} else {
		at, err := tree.GroupFor(ctx, w.Store, g.FullPath, user.ID)
		require.NoError(t, err)
		f := group.GroupFilter{UserID: user.ID, Search: g.FullPath}
		list, _, err := group.Groups(ctx, w.Store, f, db.Page{Limit: 9})
		require.NoError(t, err)
		f.MinLevel = max(want, 10)
		atLeast, _, err := group.Groups(ctx, w.Store, f, db.Page{Limit: 9})
		require.NoError(t, err)
		is := func(l group.ListedGroup) bool { return l.ID == g.ID }
		found, listed, least = at.Level, slices.ContainsFunc(list, is), slices.ContainsFunc(atLeast, is)
		if want < 10 {
			require.Equal(t, at.Below > 0, listed, "%s: who is below sees what is around", path)
			listed = false
		}
	}
	require.Equal(t, want, found, "level in %s", path)
	require.Equal(t, want >= 10, listed, "%s is listed", path)
	require.Equal(t, want >= 10, least, "%s is listed among those of level %d", path, want)

	m, err := group.AnyMember(ctx, w.Store, src, tree.Viewer{All: true}, user.ID)
	if want == 0 {
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "member of %s", path)
		return
	}
	require.NoError(t, err, "member of %s", path)
	require.Equal(t, want, m.AccessLevel, "member of %s", path)
}
