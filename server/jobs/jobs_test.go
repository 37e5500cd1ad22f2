package jobs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/servertest"
	"hew/server/store"
)

func TestSweepRemovesWhatIsOver(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ctx := t.Context()
	alice := s.User(t, "alice")
	group := func(path string, daysAgo int) int64 {
		g := store.NewGroup(path, path, nil)
		if daysAgo >= 0 {
			day := store.Today().Add(-daysAgo)
			g.MarkedForDeletionOn = &day
		}
		g, err := s.Store.CreateGroup(ctx, g, alice.ID)
		require.NoError(t, err)
		return g.ID
	}
	kept, young, over := group("kept", -1), group("young", 6), group("over", 7)
	yesterday := store.Today().Add(-1)
	bob := s.User(t, "bob")
	_, err := s.Store.AddMember(ctx, store.Member{UserID: bob.ID, NamespaceID: &kept, AccessLevel: 30, ExpiresAt: &yesterday})
	require.NoError(t, err)

	require.NoError(t, s.Jobs.Enqueue(ctx, s.Store, jobs.Sweep{}, jobs.RemoveGroup{ID: kept})) // that one was restored meanwhile
	s.Drain(t)
	for id, gone := range map[int64]bool{kept: false, young: false, over: true} {
		_, err := s.Store.Group(ctx, id)
		require.Equal(t, gone, fault.CodeOf(err) == fault.CodeNotFound, "group %d", id)
	}
	left, err := s.Store.RemoveExpired(ctx)
	require.NoError(t, err)
	require.Empty(t, left, "the sweep was there before")
}

// What waited for a lock of memberships is accepted by the next sweep after that.
func TestSweepAcceptsInvitations(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ctx := t.Context()
	alice, bob := s.User(t, "alice"), s.User(t, "bob")
	g, err := s.Store.CreateGroup(ctx, store.NewGroup("acme", "acme", nil), alice.ID)
	require.NoError(t, err)
	p, err := s.Store.CreateProject(ctx, store.NewProject("site", "site", g.ID), alice.ID)
	require.NoError(t, err)
	u, err := s.Store.User(ctx, bob.ID)
	require.NoError(t, err)
	site := store.InProject(p)
	require.NoError(t, s.Store.CreateInvitation(ctx, site.NewInvitation(u.Email, 30)))
	for _, locked := range []bool{true, false} {
		g.Settings.MembershipLock = locked
		g, err = s.Store.UpdateGroup(ctx, g)
		require.NoError(t, err)
		require.NoError(t, s.Jobs.Enqueue(ctx, s.Store, jobs.Sweep{}))
		s.Drain(t)
		_, waits := s.Store.HoldInvitation(ctx, site, u.Email)
		_, member := s.Store.Member(ctx, site, bob.ID)
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
		return s.Store.Tx(ctx, func(st *store.Store) error {
			if err := s.Jobs.Enqueue(ctx, st, jobs.RemoveUser{ID: id}); err != nil {
				return err
			}
			return then
		})
	}
	require.Error(t, remove(alice.ID, errors.New("no")))
	require.NoError(t, remove(bob.ID, nil))
	s.Drain(t)
	_, err := s.Store.User(ctx, alice.ID)
	require.NoError(t, err)
	_, err = s.Store.User(ctx, bob.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}

func TestHardRemovalTakesTheGroupsAlong(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ctx := t.Context()
	alice, bob := s.User(t, "alice"), s.User(t, "bob")
	mine, err := s.Store.CreateGroup(ctx, store.NewGroup("mine", "mine", nil), alice.ID)
	require.NoError(t, err)
	ours, err := s.Store.CreateGroup(ctx, store.NewGroup("ours", "ours", nil), alice.ID)
	require.NoError(t, err)
	_, err = s.Store.AddMember(ctx, store.Member{UserID: bob.ID, NamespaceID: &ours.ID, AccessLevel: 50})
	require.NoError(t, err)

	require.NoError(t, s.Jobs.Enqueue(ctx, s.Store, jobs.RemoveUser{ID: alice.ID, Hard: true}))
	s.Drain(t)
	_, err = s.Store.Group(ctx, mine.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	ours, err = s.Store.Group(ctx, ours.ID)
	require.NoError(t, err)
	require.Nil(t, ours.CreatorID)
}

// A job that fails is reported by Drain, not waited for.
func TestDrainTellsOfFailures(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	require.NoError(t, s.Store.Set(t.Context(), "deletion_adjourned_period", "soon"))
	require.NoError(t, s.Jobs.Enqueue(t.Context(), s.Store, jobs.Sweep{}))
	require.ErrorContains(t, s.Jobs.Drain(context.WithoutCancel(t.Context())), "sweep: read the application settings")
}
