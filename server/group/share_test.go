package group_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/tree"
)

// Expired shares and invitations do not count, can be created again, and are deleted by the sweep.
func TestExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	acme, crew := w.Group("acme", nil, 0), w.Group("crew", nil, 0)
	site := w.Project("site", acme.ID, 0)
	today, later := db.Today(), db.Today().Add(3)
	all, page := tree.Viewer{All: true}, db.Page{Limit: 9}
	for _, src := range []tree.Source{tree.InGroup(acme), tree.InProject(site)} {
		share, invitation := group.NewShare(src, crew, 30), group.NewInvitation(src, "Ivy@example.org", 30)
		for _, step := range []struct {
			until *db.Date
			taken bool // there is one already
			sweep bool
		}{{&today, false, false}, {&today, false, true}, {&later, false, true}, {nil, true, false},
			{&today, true, false}} {
			share.ExpiresAt, invitation.ExpiresAt = step.until, step.until
			_, err := group.InsertShare(ctx, w.Store, share)
			require.Equal(t, step.taken, fault.CodeOf(err) == fault.CodeConflict, "%v", err)
			err = group.InsertInvitation(ctx, w.Store, invitation)
			require.Equal(t, step.taken, fault.CodeOf(err) == fault.CodeConflict, "%v", err)
			if step.sweep {
				_, err := group.RemoveExpired(ctx, w.Store)
				require.NoError(t, err)
			}

			lasts := step.taken || step.until == &later
			_, err = group.FindShare(ctx, w.Store, src, crew.ID)
			require.Equal(t, lasts, err == nil, "%v", err)
			_, err = group.HoldInvitation(ctx, w.Store, src, "ivy@EXAMPLE.org")
			require.Equal(t, lasts, err == nil, "%v", err)
			_, n, err := group.Invitations(ctx, w.Store, src, "", page)
			require.NoError(t, err)
			require.Equal(t, lasts, n == 1)
		}
	}
	found, err := tree.GroupFor(ctx, w.Store, acme.FullPath, 0)
	require.NoError(t, err)
	company, err := group.FindRelated(ctx, w.Store, found, all, nil)
	require.NoError(t, err)
	require.Equal(t, &later, company.Shares[0].ExpiresAt)
	require.Equal(t, []string{"1", "1", "2"}, w.texts(`
		select count(*)::text from shares where namespace_id is not null union all
		select count(*)::text from invitations where project_id is not null union all select count(*)::text
			from shares`))

	// An expired invitation is removed as well, without a membership.
	over := group.NewInvitation(tree.InGroup(crew), "ivy@example.org", 30)
	over.ExpiresAt = &today
	require.NoError(t, group.InsertInvitation(ctx, w.Store, over))
	ivy := tree.NewUser("ivy", "Ivy", "IVY@example.org")
	ivy.ConfirmedAt = new(time.Now())
	ivy, err = tree.CreateUser(ctx, w.Store, ivy)
	require.NoError(t, err)
	taken, err := group.TakeInvitations(ctx, w.Store, &ivy.ID)
	require.NoError(t, err)
	require.Len(t, taken, 2)
	require.Equal(t, []string{"0"}, w.texts(`select count(*)::text from invitations`))
}

// The database rejects a share of a group with itself, even if the code does not check.
func TestNoShareWithItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acme := w.Group("acme", nil, 0)
	_, err := group.InsertShare(t.Context(), w.Store, group.NewShare(tree.InGroup(acme), acme, 30))
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}
