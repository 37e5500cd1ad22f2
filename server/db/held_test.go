package db_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/errortracking"
	"hew/server/fault"
	"hew/server/hook"
)

// The rows of one group or project cannot be reached from another.
func TestHeldIsNarrowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	acme := w.Group("acme", nil, alice.ID)
	web := w.Group("web", &acme, alice.ID)
	site := w.Project("site", acme.ID, alice.ID)
	h := w.hook(acme.Container())
	w.hook(acme.Container())

	for _, c := range []struct {
		in   db.Container
		held int
	}{{acme.Container(), 2}, {web.Container(), 0}, {site.Container(), 0}} {
		hooks := hook.Hooks(w.Store, c.in)
		list, total, err := hooks.List(ctx, db.Page{Limit: 1})
		require.NoError(t, err)
		require.Equal(t, c.held, total, c.in)
		require.Len(t, list, min(c.held, 1))
		n, err := hooks.Count(ctx)
		require.NoError(t, err)
		require.Equal(t, c.held, n)
		list, _, err = hooks.List(ctx, db.Page{Limit: 2}, db.ByID(h.ID))
		require.NoError(t, err)
		require.Len(t, list, min(c.held, 1))
		if c.held > 0 {
			continue
		}
		_, err = hooks.One(ctx, db.ByID(h.ID))
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
		_, err = hooks.Change(ctx, db.ByID(h.ID), rename("mine"))
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(hooks.Delete(ctx, db.ByID(h.ID), anyway)))
	}
	require.Equal(
		t, fault.CodeNotFound, fault.CodeOf(hook.Hooks(w.Store, db.Container{}).Delete(ctx, db.ByID(h.ID), anyway)),
	)
}

func TestHeldIsChangedAndDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	h := w.hook(w.Group("acme", nil, w.User("alice").ID).Container())
	hooks := hook.Hooks(w.Store, h.Container)
	which := db.ByID(h.ID)
	refusal := errors.New("no")

	got, err := hooks.Change(ctx, which, rename("first"))
	require.NoError(t, err)
	require.Equal(t, "first", got.Name)
	_, err = hooks.Change(ctx, which, func(_ *db.Store, h *hook.Hook) error {
		h.Name = "second"
		return refusal
	})
	require.ErrorIs(t, err, refusal)
	got, err = hooks.One(ctx, which)
	require.NoError(t, err)
	require.Equal(t, "first", got.Name, "what was refused is not stored")

	err = hooks.Delete(ctx, which, func(_ context.Context, changed time.Time) error {
		require.Equal(t, got.UpdatedAt, changed)
		return refusal
	})
	require.ErrorIs(t, err, refusal)
	require.NoError(t, hooks.Delete(ctx, which, anyway))
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(hooks.Delete(ctx, which, anyway)))
}

// hook stores a hook that leads nowhere.
func (w world) hook(c db.Container) hook.Hook {
	w.t.Helper()
	h, err := hook.NewHook(w.t.Context(), w.Store, c)
	require.NoError(w.t, err)
	h.URL = "https://example.com"
	h, err = hook.Hooks(w.Store, c).Create(w.t.Context(), h)
	require.NoError(w.t, err)
	return h
}

func rename(name string) db.Edit[hook.Hook] {
	return func(_ *db.Store, h *hook.Hook) error {
		h.Name = name
		return nil
	}
}

func anyway(context.Context, time.Time) error { return nil }

// Put creates a missing row once, even if several callers put it at once, and the others change it.
// If the edit fails, no row is left.
func TestHeldIsPut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	c := w.Project("site", w.Group("acme", nil, alice.ID).ID, alice.ID).Container()
	settings := errortracking.Settings(w.Store, c)
	put := func(edit func(*errortracking.Setting) error) error {
		_, err := settings.Put(ctx, db.AnyRow, errortracking.Setting{ProjectID: c.ID()}, db.Plain(edit))
		return err
	}
	refusal := errors.New("no")
	require.ErrorIs(t, put(func(*errortracking.Setting) error { return refusal }), refusal)
	n, err := settings.Count(ctx)
	require.NoError(t, err)
	require.Zero(t, n)

	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			assert.NoError(t, put(func(e *errortracking.Setting) error { e.Active = true; return nil }))
		})
	}
	all.Wait()
	require.NoError(t, put(func(e *errortracking.Setting) error {
		require.True(t, e.Active, "what was put before is there")
		e.Integrated = true
		return nil
	}))
	got, err := settings.One(ctx, db.AnyRow)
	require.NoError(t, err)
	require.True(t, got.Active && got.Integrated)
}
