package group_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/tree"
)

// The membership with the highest level counts, and among equal ones the nearest.
func TestInheritedMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice, bob, carol, dave := w.User("alice"), w.User("bob"), w.User("carol"), w.User("dave")
	acme := w.Group("acme", nil, alice.ID)
	web := w.Group("web", &acme, 0)
	site := w.Project("site", web.ID, 0)
	other := w.Group("other", nil, dave.ID) // nobody's business here
	today := db.Today()
	join := func(src tree.Source, user tree.User, level int) group.Member {
		return w.Member(group.NewMember(src, user.ID, level))
	}

	join(tree.InGroup(other), carol, 50)
	join(tree.InGroup(acme), bob, 30)
	near := join(tree.InProject(site), bob, 30)
	high := join(tree.InGroup(acme), carol, 40)
	join(tree.InGroup(web), carol, 20)
	join(tree.InProject(site), carol, 10)
	over := group.NewMember(tree.InGroup(web), dave.ID, 50)
	over.ExpiresAt = &today
	w.Member(over)

	for _, c := range []struct {
		src         tree.Source
		direct, all map[string]int
	}{
		{tree.InGroup(acme), map[string]int{"alice": 50, "bob": 30, "carol": 40},
			map[string]int{"alice": 50, "bob": 30, "carol": 40}},
		{tree.InGroup(web), map[string]int{"carol": 20}, map[string]int{"alice": 50, "bob": 30, "carol": 40}},
		{tree.InProject(site), map[string]int{"bob": 30, "carol": 10},
			map[string]int{"alice": 50, "bob": 30, "carol": 40}},
	} {
		page := db.Page{Limit: 100}
		require.Equal(t, c.direct, levels(t)(group.Members(ctx, w.Store, c.src, group.MemberFilter{}, page)))
		require.Equal(t, c.all, levels(t)(group.AllMembers(ctx, w.Store, c.src, group.MemberFilter{}, page)))
	}
	m, err := group.AnyMember(ctx, w.Store, tree.InProject(site), tree.Viewer{}, bob.ID)
	require.NoError(t, err)
	require.Equal(t, near.ID, m.ID)
	m, err = group.AnyMember(ctx, w.Store, tree.InProject(site), tree.Viewer{}, carol.ID)
	require.NoError(t, err)
	require.Equal(t, high.ID, m.ID)
	_, err = group.AnyMember(ctx, w.Store, tree.InProject(site), tree.Viewer{}, dave.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))

	// FindCandidates returns the direct and the inherited level of users about to be added.
	named, err := group.FindCandidates(
		ctx, w.Store, tree.InProject(site), []int64{bob.ID, 999999}, []string{"CAROL", "nobody"},
	)
	require.NoError(t, err)
	require.ElementsMatch(t, []group.Candidate{
		{Asked: "999999"}, {Asked: "nobody"},
		{Asked: strconv.FormatInt(bob.ID, 10), UserID: bob.ID, Username: "bob", Member: true, Inherited: 30,
			From: "acme"},
		{Asked: "CAROL", UserID: carol.ID, Username: "carol", Member: true, Inherited: 40, From: "acme"},
	}, named)
}

// levels are the members of a list, by name.
func levels(t *testing.T) func([]group.Member, int, error) map[string]int {
	return func(list []group.Member, total int, err error) map[string]int {
		t.Helper()
		require.NoError(t, err)
		require.Len(t, list, total)
		found := map[string]int{}
		for _, m := range list {
			found[m.Username] = m.AccessLevel
		}
		return found
	}
}

// The owner of a personal project is a direct member of it, once, even if they were one before it
// became personal.
func TestMembersOfAPersonalProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	dots := w.Project("dotfiles", alice.NamespaceID, alice.ID)
	w.Member(group.Member{UserID: alice.ID, ProjectID: &dots.ID, AccessLevel: 30})
	src := tree.InProject(dots)

	require.Equal(t, map[string]int{"alice": 50},
		levels(t)(group.Members(ctx, w.Store, src, group.MemberFilter{}, db.Page{Limit: 9})))
	m, err := group.FindMember(ctx, w.Store, src, alice.ID)
	require.NoError(t, err)
	require.Equal(t, 50, m.AccessLevel)
	require.True(t, src.IsHolder(alice.ID))
}

func TestRemoveMembersBelow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice, bob := w.User("alice"), w.User("bob")
	acme := w.Group("acme", nil, alice.ID)
	web := w.Group("web", &acme, alice.ID)
	tools := w.Group("tools", &acme, alice.ID)
	inWeb, inTools := w.Project("site", web.ID, alice.ID), w.Project("cli", tools.ID, alice.ID)
	sources := []tree.Source{
		tree.InGroup(acme), tree.InGroup(web), tree.InProject(inWeb), tree.InGroup(tools), tree.InProject(inTools),
	}
	for _, src := range sources {
		w.Member(group.NewMember(src, bob.ID, 30))
	}
	removed, err := group.RemoveMembersBelow(ctx, w.Store, tree.InProject(inWeb), bob.ID)
	require.NoError(t, err)
	require.Empty(t, removed)
	removed, err = group.RemoveMembersBelow(ctx, w.Store, tree.InGroup(web), bob.ID)
	require.NoError(t, err)
	require.NotEmpty(t, removed)
	for i, stays := range []bool{true, true, false, true, true} {
		_, err := group.FindMember(ctx, w.Store, sources[i], bob.ID)
		require.Equal(t, stays, err == nil, i)
	}
	_, err = group.FindMember(ctx, w.Store, sources[1], alice.ID)
	require.NoError(t, err, "nobody else goes")
}

// A change of a membership is based on its level. If the level has changed meanwhile, nothing is
// written.
func TestChangesOfAChangedMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice, bob := w.User("alice"), w.User("bob")
	acme := w.Group("acme", nil, alice.ID)
	seen := w.Member(group.NewMember(tree.InGroup(acme), bob.ID, 30))
	now := seen
	now.AccessLevel = 50
	now, err := group.UpdateMember(ctx, w.Store, now, seen.AccessLevel)
	require.NoError(t, err)
	require.Equal(t, 50, now.AccessLevel)

	_, err = group.UpdateMember(ctx, w.Store, seen, seen.AccessLevel)
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err))
	require.Equal(t, fault.CodeConflict, fault.CodeOf(group.DeleteMember(ctx, w.Store, seen)))
	require.NoError(t, group.DeleteMember(ctx, w.Store, now))
	require.Equal(t, fault.CodeConflict, fault.CodeOf(group.DeleteMember(ctx, w.Store, now)))
}

// If two owners leave at once, the second waits for the first and is then the last owner.
func TestLastOwnerWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice, bob := w.User("alice"), w.User("bob")
	acme := w.Group("acme", nil, alice.ID)
	src := tree.InGroup(acme)
	w.Member(group.NewMember(src, bob.ID, 50))
	leave := func(st *db.Store, userID int64) (last bool, err error) {
		m, err := group.FindMember(ctx, st, src, userID)
		if err != nil {
			return false, err
		}
		if last, err = group.IsLastOwner(ctx, st, src, m); err != nil || last {
			return last, err
		}
		return false, group.DeleteMember(ctx, st, m)
	}

	type outcome struct {
		last bool
		err  error
	}
	second := make(chan outcome, 1)
	require.NoError(t, w.Tx(ctx, func(first *db.Store) error {
		last, err := leave(first, alice.ID)
		require.NoError(t, err)
		require.False(t, last)
		go func() {
			var o outcome
			o.err = w.Tx(ctx, func(st *db.Store) (err error) { o.last, err = leave(st, bob.ID); return err })
			second <- o
		}()
		waiting := func() bool {
			return len(w.texts(`select 'waits' from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'`)) > 0
		}
		require.Eventually(t, waiting, 10*time.Second, time.Millisecond, "the second does not wait")
		return nil
	}))
	require.Equal(t, outcome{last: true}, <-second)
}
