package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/store"
)

// What has expired is gone for everybody at once, gives way to its like, and is swept away some time.
func TestExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	acme, crew := w.group("acme", nil, 0), w.group("crew", nil, 0)
	site := w.project("site", acme.ID, 0)
	today, later := store.Today(), store.Today().Add(3)
	all, page := store.Viewer{All: true}, store.Page{Limit: 9}
	for _, src := range []store.Source{store.InGroup(acme), store.InProject(site)} {
		share, invitation := src.NewShare(crew, 30), src.NewInvitation("Ivy@example.org", 30)
		for _, step := range []struct {
			until *store.Date
			taken bool // there is one already
			sweep bool
		}{{&today, false, false}, {&today, false, true}, {&later, false, true}, {nil, true, false}, {&today, true, false}} {
			share.ExpiresAt, invitation.ExpiresAt = step.until, step.until
			_, err := w.CreateShare(ctx, share)
			require.Equal(t, step.taken, fault.CodeOf(err) == fault.CodeConflict, "%v", err)
			err = w.CreateInvitation(ctx, invitation)
			require.Equal(t, step.taken, fault.CodeOf(err) == fault.CodeConflict, "%v", err)
			if step.sweep {
				_, err := w.RemoveExpired(ctx)
				require.NoError(t, err)
			}

			lasts := step.taken || step.until == &later
			_, err = w.Share(ctx, src, crew.ID)
			require.Equal(t, lasts, err == nil, "%v", err)
			_, err = w.HoldInvitation(ctx, src, "ivy@EXAMPLE.org")
			require.Equal(t, lasts, err == nil, "%v", err)
			_, n, err := w.Invitations(ctx, src, "", page)
			require.NoError(t, err)
			require.Equal(t, lasts, n == 1)
		}
	}
	found, err := w.GroupFor(ctx, acme.FullPath, 0)
	require.NoError(t, err)
	company, err := w.Company(ctx, found, all, nil)
	require.NoError(t, err)
	require.Equal(t, &later, company.Shares[0].ExpiresAt)
	require.Equal(t, []string{"1", "1", "2"}, texts(t, w.Store, `
		select count(*)::text from shares where namespace_id is not null union all
		select count(*)::text from invitations where project_id is not null union all select count(*)::text from shares`))

	// What has expired is taken as well, and given to nobody.
	over := store.InGroup(crew).NewInvitation("ivy@example.org", 30)
	over.ExpiresAt = &today
	require.NoError(t, w.CreateInvitation(ctx, over))
	ivy := store.NewUser("ivy", "Ivy", "IVY@example.org")
	ivy.ConfirmedAt = new(time.Now())
	ivy, err = w.CreateUser(ctx, ivy)
	require.NoError(t, err)
	taken, err := w.TakeInvitations(ctx, &ivy.ID)
	require.NoError(t, err)
	require.Len(t, taken, 2)
	require.Equal(t, []string{"0"}, texts(t, w.Store, `select count(*)::text from invitations`))
}

// A group cannot be invited into itself, whoever forgets to ask.
func TestNoShareWithItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acme := w.group("acme", nil, 0)
	_, err := w.CreateShare(t.Context(), store.InGroup(acme).NewShare(acme, 30))
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}
