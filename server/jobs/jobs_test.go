package jobs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/people"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/tree"
)

func TestSweepRemovesWhatIsOver(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ctx := t.Context()
	alice := s.User(t, "alice")
	gr := func(path string, daysAgo int) int64 {
		g := tree.NewGroup(path, path, nil)
		if daysAgo >= 0 {
			day := db.Today().Add(-daysAgo)
			g.MarkedForDeletionOn = &day
		}
		g, err := group.InsertGroup(ctx, s.Store, g, alice.ID)
		require.NoError(t, err)
		return g.ID
	}
	kept, young, over := gr("kept", -1), gr("young", 6), gr("over", 7)
	yesterday := db.Today().Add(-1)
	bob := s.User(t, "bob")
	_, err := group.AddMember(
		ctx, s.Store, group.Member{UserID: bob.ID, NamespaceID: &kept, AccessLevel: 30, ExpiresAt: &yesterday},
	)
	require.NoError(t, err)

	// that one was restored meanwhile
	require.NoError(t, jobs.Enqueue(ctx, s.Store, group.SweepJob{}, group.RemovalJob{ID: kept}))
	s.Drain(t)
	for id, gone := range map[int64]bool{kept: false, young: false, over: true} {
		_, err := tree.FindGroup(ctx, s.Store, id)
		require.Equal(t, gone, fault.CodeOf(err) == fault.CodeNotFound, "group %d", id)
	}
	left, err := group.RemoveExpired(ctx, s.Store)
	require.NoError(t, err)
	require.Empty(t, left, "the sweep was there before")
}

// Invitations that waited for a lock of memberships are accepted by the next sweep.
func TestSweepAcceptsInvitations(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ctx := t.Context()
	alice, bob := s.User(t, "alice"), s.User(t, "bob")
	g, err := group.InsertGroup(ctx, s.Store, tree.NewGroup("acme", "acme", nil), alice.ID)
	require.NoError(t, err)
	p, err := project.InsertProject(ctx, s.Store, tree.NewProject("site", "site", g.ID), alice.ID)
	require.NoError(t, err)
	u, err := tree.FindUser(ctx, s.Store, bob.ID)
	require.NoError(t, err)
	site := tree.InProject(p)
	require.NoError(t, group.InsertInvitation(ctx, s.Store, group.NewInvitation(site, u.Email, 30)))
	for _, locked := range []bool{true, false} {
		g.Settings.MembershipLock = locked
		g, err = group.UpdateGroup(ctx, s.Store, g)
		require.NoError(t, err)
		require.NoError(t, jobs.Enqueue(ctx, s.Store, group.SweepJob{}))
		s.Drain(t)
		_, waits := group.HoldInvitation(ctx, s.Store, site, u.Email)
		_, member := group.FindMember(ctx, s.Store, site, bob.ID)
		require.Equal(t, []bool{locked, !locked}, []bool{waits == nil, member == nil}, "%v, %v", waits, member)
	}
}

// A job is there if its transaction is, and only then.
func TestEnqueueJoinsTheTransaction(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ctx := t.Context()
	alice, bob := s.User(t, "alice"), s.User(t, "bob")
	remove := func(id int64, then error) error {
		return s.Store.Tx(ctx, func(st *db.Store) error {
			if err := jobs.Enqueue(ctx, st, people.RemovalJob{ID: id}); err != nil {
				return err
			}
			return then
		})
	}
	require.Error(t, remove(alice.ID, errors.New("no")))
	require.NoError(t, remove(bob.ID, nil))
	s.Drain(t)
	_, err := tree.FindUser(ctx, s.Store, alice.ID)
	require.NoError(t, err)
	_, err = tree.FindUser(ctx, s.Store, bob.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}

func TestHardRemovalTakesTheGroupsAlong(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ctx := t.Context()
	alice, bob := s.User(t, "alice"), s.User(t, "bob")
	mine, err := group.InsertGroup(ctx, s.Store, tree.NewGroup("mine", "mine", nil), alice.ID)
	require.NoError(t, err)
	ours, err := group.InsertGroup(ctx, s.Store, tree.NewGroup("ours", "ours", nil), alice.ID)
	require.NoError(t, err)
	_, err = group.AddMember(ctx, s.Store, group.Member{UserID: bob.ID, NamespaceID: &ours.ID, AccessLevel: 50})
	require.NoError(t, err)

	require.NoError(t, jobs.Enqueue(ctx, s.Store, people.RemovalJob{ID: alice.ID, Hard: true}))
	s.Drain(t)
	_, err = tree.FindGroup(ctx, s.Store, mine.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	ours, err = tree.FindGroup(ctx, s.Store, ours.ID)
	require.NoError(t, err)
	require.Nil(t, ours.CreatorID)
}

// A job that fails is reported by Drain, not waited for.
func TestDrainTellsOfFailures(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	require.NoError(t, setting.Set(t.Context(), s.Store, "deletion_adjourned_period", "soon"))
	require.NoError(t, jobs.Enqueue(t.Context(), s.Store, group.SweepJob{}))
	require.ErrorContains(
		t, s.Jobs.Drain(context.WithoutCancel(t.Context())), "sweep_groups: read the application settings",
	)
}
