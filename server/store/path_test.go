package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/servertest"
	"hew/server/store"
)

// world is a small hierarchy with somebody in it.
type world struct {
	*store.Store
	t *testing.T
}

func newWorld(t *testing.T) world { return world{servertest.Store(t), t} }

func (w world) user(name string) store.User {
	w.t.Helper()
	u, err := w.CreateUser(w.t.Context(), store.NewUser(name, name, name+"@example.com"))
	require.NoError(w.t, err)
	return u
}

func (w world) group(path string, parent *store.Group, owner int64) store.Group {
	w.t.Helper()
	var id *int64
	if parent != nil {
		id = &parent.ID
	}
	g, err := w.CreateGroup(w.t.Context(), store.NewGroup(path, path, id), owner)
	require.NoError(w.t, err)
	return g
}

func (w world) project(path string, namespace int64, creator int64) store.Project {
	w.t.Helper()
	p, err := w.CreateProject(w.t.Context(), store.NewProject(path, path, namespace), creator)
	require.NoError(w.t, err)
	return p
}

func (w world) member(m store.Member) store.Member {
	w.t.Helper()
	m, err := w.AddMember(w.t.Context(), m)
	require.NoError(w.t, err)
	return m
}

func TestRenameMovesEverythingBelow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.user("alice")
	acme := w.group("Acme", nil, alice.ID)
	web := w.group("web", &acme, alice.ID)
	site := w.project("site", web.ID, alice.ID)
	require.Equal(t, "Acme/web/site", site.FullPath)
	require.Equal(t, "Acme / web", web.FullName)
	require.Equal(t, []int64{acme.ID, web.ID}, web.TraversalIDs)

	acme.Path, acme.Name = "umbrella", "Umbrella"
	acme, err := w.MoveGroup(ctx, acme)
	require.NoError(t, err)
	require.Equal(t, "umbrella", acme.FullPath)

	found, err := w.ProjectFor(ctx, "acme/WEB/site", alice.ID)
	require.NoError(t, err)
	require.True(t, found.Former)
	require.Equal(t, "umbrella/web/site", found.FullPath)
	require.Equal(t, "Umbrella / web", found.NamespaceFullName)
	require.Equal(t, 50, found.Level)

	again := w.group("acme", nil, alice.ID) // the old path is free for somebody else, redirects give way
	g, err := w.GroupFor(ctx, "acme", 0)
	require.NoError(t, err)
	require.Equal(t, again.ID, g.ID)
	require.False(t, g.Former)

	web, err = w.Group(ctx, web.ID)
	require.NoError(t, err)
	web.ParentID = &again.ID
	web, err = w.MoveGroup(ctx, web)
	require.NoError(t, err)
	require.Equal(t, "acme/web", web.FullPath)
	require.Equal(t, []int64{again.ID, web.ID}, web.TraversalIDs)

	again.ParentID = &web.ID
	_, err = w.MoveGroup(ctx, again)
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "no group is below itself")

	web.ParentID = nil
	web, err = w.MoveGroup(ctx, web)
	require.NoError(t, err)
	require.Equal(t, []int64{web.ID}, web.TraversalIDs)
	site, err = w.Project(ctx, site.ID)
	require.NoError(t, err)
	require.Equal(t, "web/site", site.FullPath)
}

func TestPathsAreUniqueAcrossKinds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.user("alice")
	acme := w.group("acme", nil, alice.ID)
	w.project("site", acme.ID, alice.ID)
	taken := func(err error, field string) {
		t.Helper()
		f, ok := fault.From(err)
		require.True(t, ok, "%v", err)
		require.Equal(t, []string{"has already been taken"}, f.Fields[field])
	}
	_, err := w.CreateGroup(ctx, store.NewGroup("Other", "SITE", &acme.ID), alice.ID)
	taken(err, "path")
	_, err = w.CreateProject(ctx, store.NewProject("site", "other", acme.ID), alice.ID)
	taken(err, "name")
	_, err = w.CreateGroup(ctx, store.NewGroup("Alice", "alice", nil), alice.ID)
	taken(err, "path")
	_, err = w.CreateUser(ctx, store.NewUser("acme", "Acme", "acme@example.com"))
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err))

	// A failed rename leaves nothing behind.
	other := w.group("other", nil, alice.ID)
	other.Path = "Acme"
	_, err = w.MoveGroup(ctx, other)
	taken(err, "path")
	g, err := w.GroupFor(ctx, "other", 0)
	require.NoError(t, err)
	require.False(t, g.Former)
}

func TestLevels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice, bob, carol, dave := w.user("alice"), w.user("bob"), w.user("carol"), w.user("dave")
	acme := w.group("acme", nil, alice.ID)
	web := w.group("web", &acme, alice.ID)
	site := w.project("site", web.ID, alice.ID)
	w.member(store.Member{UserID: bob.ID, NamespaceID: &acme.ID, AccessLevel: 20})
	w.member(store.Member{UserID: bob.ID, NamespaceID: &web.ID, AccessLevel: 30})
	w.member(store.Member{UserID: carol.ID, ProjectID: &site.ID, AccessLevel: 40})
	yesterday := store.Today().Add(-1)
	w.member(store.Member{UserID: dave.ID, NamespaceID: &acme.ID, AccessLevel: 50, ExpiresAt: &yesterday})

	for _, c := range []struct {
		user            store.User
		acme, web, site int
		onlyBelow       int
		hasDirectInWeb  bool
	}{
		{alice, 50, 50, 50, 0, true},
		{bob, 20, 30, 30, 0, true},
		{carol, 0, 0, 40, 40, false},
		{dave, 0, 0, 0, 0, false},
		{store.User{}, 0, 0, 0, 0, false},
	} {
		a, err := w.GroupFor(ctx, "acme", c.user.ID)
		require.NoError(t, err)
		b, err := w.GroupFor(ctx, "acme/web", c.user.ID)
		require.NoError(t, err)
		p, err := w.ProjectFor(ctx, "acme/web/site", c.user.ID)
		require.NoError(t, err)
		require.Equal(t, []int{c.acme, c.web, c.site}, []int{a.Level, b.Level, p.Level}, c.user.Username)
		require.Equal(t, c.onlyBelow, a.Below, c.user.Username)
		_, err = w.Member(ctx, store.InGroup(web), c.user.ID)
		require.Equal(t, c.hasDirectInWeb, err == nil, c.user.Username)
	}

	// Of bob's two memberships the higher one counts, of all members each is listed once.
	all, total, err := w.AllMembers(ctx, store.InProject(site), store.MemberFilter{}, store.Page{Limit: 10, Order: "id"})
	require.NoError(t, err)
	require.Equal(t, 3, total)
	levels := map[string]int{}
	for _, m := range all {
		levels[m.Username] = m.AccessLevel
	}
	require.Equal(t, map[string]int{"alice": 50, "bob": 30, "carol": 40}, levels)

	// A personal namespace is its user's.
	mine := w.project("dotfiles", dave.NamespaceID, dave.ID)
	p, err := w.ProjectFor(ctx, mine.FullPath, dave.ID)
	require.NoError(t, err)
	require.Equal(t, 50, p.Level)

	// An expired membership is no obstacle to a new one; a live one is.
	_, err = w.AddMember(ctx, store.Member{UserID: dave.ID, NamespaceID: &acme.ID, AccessLevel: 10})
	require.NoError(t, err)
	_, err = w.AddMember(ctx, store.Member{UserID: dave.ID, NamespaceID: &acme.ID, AccessLevel: 10})
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err))
}

func TestDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.user("alice")
	acme := w.group("acme", nil, alice.ID)
	web := w.group("web", &acme, alice.ID)
	w.project("site", web.ID, alice.ID)
	tools := w.project("tools", acme.ID, alice.ID)

	long, today := store.Today().Add(-7), store.Today()
	web.MarkedForDeletionOn = &long
	_, err := w.UpdateGroup(ctx, web)
	require.NoError(t, err)
	tools.MarkedForDeletionOn = &today
	_, err = w.UpdateProject(ctx, tools)
	require.NoError(t, err)

	groups, projects, err := w.Due(ctx, long)
	require.NoError(t, err)
	require.Equal(t, []int64{web.ID}, groups)
	require.Empty(t, projects, "not yet, or with its group")

	p, err := w.ProjectFor(ctx, "acme/web/site", 0)
	require.NoError(t, err)
	require.True(t, p.Pending, "its group is marked")

	require.NoError(t, w.RemoveGroup(ctx, web.ID))
	_, err = w.ProjectFor(ctx, "acme/web/site", 0)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}
