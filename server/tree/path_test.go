package tree_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
)

func TestRenameMovesEverythingBelow(t *testing.T) {
	t.Parallel()
	w := servertest.NewWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	acme := w.Group("Acme", nil, alice.ID)
	web := w.Group("web", &acme, alice.ID)
	site := w.Project("site", web.ID, alice.ID)
	require.Equal(t, "Acme/web/site", site.FullPath)
	require.Equal(t, "Acme / web", web.FullName)
	require.Equal(t, []int64{acme.ID, web.ID}, web.TraversalIDs)

	acme.Path, acme.Name = "umbrella", "Umbrella"
	acme, err := group.MoveGroup(ctx, w.Store, acme)
	require.NoError(t, err)
	require.Equal(t, "umbrella", acme.FullPath)

	found, err := tree.ProjectFor(ctx, w.Store, "acme/WEB/site", alice.ID)
	require.NoError(t, err)
	require.True(t, found.Former)
	require.Equal(t, "umbrella/web/site", found.FullPath)
	require.Equal(t, "Umbrella / web", found.NamespaceFullName)
	require.Equal(t, 50, found.Level)

	again := w.Group("acme", nil, alice.ID) // the old path is free for somebody else, redirects give way
	g, err := tree.GroupFor(ctx, w.Store, "acme", 0)
	require.NoError(t, err)
	require.Equal(t, again.ID, g.ID)
	require.False(t, g.Former)

	web, err = tree.FindGroup(ctx, w.Store, web.ID)
	require.NoError(t, err)
	web.ParentID = &again.ID
	web, err = group.MoveGroup(ctx, w.Store, web)
	require.NoError(t, err)
	require.Equal(t, "acme/web", web.FullPath)
	require.Equal(t, []int64{again.ID, web.ID}, web.TraversalIDs)

	again.ParentID = &web.ID
	_, err = group.MoveGroup(ctx, w.Store, again)
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "no group is below itself")

	web.ParentID = nil
	web, err = group.MoveGroup(ctx, w.Store, web)
	require.NoError(t, err)
	require.Equal(t, []int64{web.ID}, web.TraversalIDs)
	site, err = tree.FindProject(ctx, w.Store, site.ID)
	require.NoError(t, err)
	require.Equal(t, "web/site", site.FullPath)
}

func TestPathsAreUniqueAcrossKinds(t *testing.T) {
	t.Parallel()
	w := servertest.NewWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	acme := w.Group("acme", nil, alice.ID)
	w.Project("site", acme.ID, alice.ID)
	taken := func(err error, field string) {
		t.Helper()
		f, ok := fault.From(err)
		require.True(t, ok, "%v", err)
		require.Equal(t, []string{"has already been taken"}, f.Fields[field])
	}
	_, err := group.InsertGroup(ctx, w.Store, tree.NewGroup("Other", "SITE", &acme.ID), alice.ID)
	taken(err, "path")
	_, err = project.InsertProject(ctx, w.Store, tree.NewProject("site", "other", acme.ID), alice.ID)
	taken(err, "name")
	_, err = group.InsertGroup(ctx, w.Store, tree.NewGroup("Alice", "alice", nil), alice.ID)
	taken(err, "path")
	_, err = tree.CreateUser(ctx, w.Store, tree.NewUser("acme", "Acme", "acme@example.com"))
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err))

	// A failed rename leaves nothing behind.
	other := w.Group("other", nil, alice.ID)
	other.Path = "Acme"
	_, err = group.MoveGroup(ctx, w.Store, other)
	taken(err, "path")
	g, err := tree.GroupFor(ctx, w.Store, "other", 0)
	require.NoError(t, err)
	require.False(t, g.Former)
}

func TestLevels(t *testing.T) {
	t.Parallel()
	w := servertest.NewWorld(t)
	ctx := t.Context()
	alice, bob, carol, dave := w.User("alice"), w.User("bob"), w.User("carol"), w.User("dave")
	acme := w.Group("acme", nil, alice.ID)
	web := w.Group("web", &acme, alice.ID)
	site := w.Project("site", web.ID, alice.ID)
	w.Member(group.Member{UserID: bob.ID, NamespaceID: &acme.ID, AccessLevel: 20})
	w.Member(group.Member{UserID: bob.ID, NamespaceID: &web.ID, AccessLevel: 30})
	w.Member(group.Member{UserID: carol.ID, ProjectID: &site.ID, AccessLevel: 40})
	yesterday := db.Today().Add(-1)
	w.Member(group.Member{UserID: dave.ID, NamespaceID: &acme.ID, AccessLevel: 50, ExpiresAt: &yesterday})

	for _, c := range []struct {
		user            tree.User
		acme, web, site int
		onlyBelow       int
		hasDirectInWeb  bool
	}{
		{alice, 50, 50, 50, 0, true},
		{bob, 20, 30, 30, 0, true},
		{carol, 0, 0, 40, 40, false},
		{dave, 0, 0, 0, 0, false},
		{tree.User{}, 0, 0, 0, 0, false},
	} {
		a, err := tree.GroupFor(ctx, w.Store, "acme", c.user.ID)
		require.NoError(t, err)
		b, err := tree.GroupFor(ctx, w.Store, "acme/web", c.user.ID)
		require.NoError(t, err)
		p, err := tree.ProjectFor(ctx, w.Store, "acme/web/site", c.user.ID)
		require.NoError(t, err)
		require.Equal(t, []int{c.acme, c.web, c.site}, []int{a.Level, b.Level, p.Level}, c.user.Username)
		require.Equal(t, c.onlyBelow, a.Below, c.user.Username)
		_, err = group.FindMember(ctx, w.Store, tree.InGroup(web), c.user.ID)
		require.Equal(t, c.hasDirectInWeb, err == nil, c.user.Username)
	}

	// bob has two memberships and is listed once, with the higher level.
	all, total, err := group.AllMembers(
		ctx, w.Store, tree.InProject(site), group.MemberFilter{}, db.Page{Limit: 10, Order: "id"},
	)
	require.NoError(t, err)
	require.Equal(t, 3, total)
	levels := map[string]int{}
	for _, m := range all {
		levels[m.Username] = m.AccessLevel
	}
	require.Equal(t, map[string]int{"alice": 50, "bob": 30, "carol": 40}, levels)

	// A personal namespace is its user's.
	mine := w.Project("dotfiles", dave.NamespaceID, dave.ID)
	p, err := tree.ProjectFor(ctx, w.Store, mine.FullPath, dave.ID)
	require.NoError(t, err)
	require.Equal(t, 50, p.Level)

	// A new membership can replace an expired one, but not a live one.
	_, err = group.AddMember(ctx, w.Store, group.Member{UserID: dave.ID, NamespaceID: &acme.ID, AccessLevel: 10})
	require.NoError(t, err)
	_, err = group.AddMember(ctx, w.Store, group.Member{UserID: dave.ID, NamespaceID: &acme.ID, AccessLevel: 10})
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err))
}

func TestDue(t *testing.T) {
	t.Parallel()
	w := servertest.NewWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	acme := w.Group("acme", nil, alice.ID)
	web := w.Group("web", &acme, alice.ID)
	w.Project("site", web.ID, alice.ID)
	tools := w.Project("tools", acme.ID, alice.ID)

	long, today := db.Today().Add(-7), db.Today()
	web.MarkedForDeletionOn = &long
	_, err := group.UpdateGroup(ctx, w.Store, web)
	require.NoError(t, err)
	tools.MarkedForDeletionOn = &today
	_, err = project.UpdateProject(ctx, w.Store, tools)
	require.NoError(t, err)

	groups, err := tree.DueGroups(ctx, w.Store, long)
	require.NoError(t, err)
	projects, err := tree.DueProjects(ctx, w.Store, long)
	require.NoError(t, err)
	require.Equal(t, []int64{web.ID}, groups)
	require.Empty(t, projects, "not yet, or with its group")

	p, err := tree.ProjectFor(ctx, w.Store, "acme/web/site", 0)
	require.NoError(t, err)
	require.True(t, p.Pending, "its group is marked")

	require.NoError(t, tree.RemoveGroup(ctx, w.Store, web.ID))
	_, err = tree.ProjectFor(ctx, w.Store, "acme/web/site", 0)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}
