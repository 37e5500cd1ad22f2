package store_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/servertest"
	"hew/server/store"
)

// A database that is away comes back: nothing has happened, and the client may ask again.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), "host=/nowhere")
	require.NoError(t, err)
	defer pool.Close()
	st := store.Over(pool)
	_, err = st.User(t.Context(), 1)
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	_, _, err = st.Users(t.Context(), store.UserFilter{}, store.Page{Limit: 1})
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(st.Tx(t.Context(), func(*store.Store) error { return nil })))
}

func TestTx(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	var done []string
	note := func(what string) func() { return func() { done = append(done, what) } }

	fail := errors.New("no")
	err := w.Tx(ctx, func(st *store.Store) error {
		st.AfterCommit(note("never"))
		_, err := st.CreateUser(ctx, store.NewUser("alice", "Alice", "alice@example.com"))
		require.NoError(t, err)
		return fail
	})
	require.ErrorIs(t, err, fail)
	_, err = w.UserByName(ctx, "alice")
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))

	require.Panics(t, func() {
		_ = w.Tx(ctx, func(st *store.Store) error {
			_, _ = st.CreateUser(ctx, store.NewUser("bob", "Bob", "bob@example.com"))
			panic("oh")
		})
	})
	_, err = w.UserByName(ctx, "bob")
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))

	require.NoError(t, w.Tx(ctx, func(st *store.Store) error {
		_ = st.Tx(ctx, func(st *store.Store) error { st.AfterCommit(note("never")); return fail })
		require.NoError(t, st.Tx(ctx, func(st *store.Store) error { st.AfterCommit(note("inner")); return nil }))
		st.AfterCommit(note("outer"))
		require.Empty(t, done)
		return nil
	}))
	require.Equal(t, []string{"inner", "outer"}, done)
}

func TestPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	for _, name := range []string{"ann", "ben", "cat", "dan", "eve"} {
		w.user(name)
	}
	names := func(users []store.User) (list []string) {
		for _, u := range users {
			list = append(list, u.Username)
		}
		return list
	}
	users, total, err := w.Users(ctx, store.UserFilter{}, store.Page{Limit: 2, Offset: 2, Order: "username", Desc: true})
	require.NoError(t, err)
	require.Equal(t, 5, total)
	require.Equal(t, []string{"cat", "ben"}, names(users))

	users, total, err = w.Users(ctx, store.UserFilter{}, store.Page{Limit: 2, ByKey: true})
	require.NoError(t, err)
	require.Equal(t, -1, total)
	require.Equal(t, []string{"ann", "ben"}, names(users))
	users, _, err = w.Users(ctx, store.UserFilter{}, store.Page{Limit: 2, ByKey: true, After: store.Position{ID: users[1].ID}})
	require.NoError(t, err)
	require.Equal(t, []string{"cat", "dan"}, names(users))
	users, _, err = w.Users(ctx, store.UserFilter{}, store.Page{Limit: 2, ByKey: true, Desc: true, After: store.Position{ID: users[1].ID}})
	require.NoError(t, err)
	require.Equal(t, []string{"cat", "ben"}, names(users))

	users, _, err = w.Users(ctx, store.UserFilter{Search: "a_"}, store.Page{Limit: 9})
	require.NoError(t, err)
	require.Empty(t, users, "the signs of patterns stand for themselves")
}

func TestTextThatCannotBeStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.CreateUser(t.Context(), store.NewUser("nul\x00", "Nul", "nul@example.com"))
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}

func TestSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	s, err := w.Settings(ctx)
	require.NoError(t, err)
	require.Equal(t, 7, s.DeletionAdjournedPeriod)
	require.NoError(t, w.Set(ctx, "deletion_adjourned_period", 0))
	require.NoError(t, w.Set(ctx, "some_setting_that_is_only_kept", "x"))
	s, err = w.Settings(ctx)
	require.NoError(t, err)
	require.Zero(t, s.DeletionAdjournedPeriod)
	require.Equal(t, "main", s.DefaultBranchName)
}

func TestHookSecretsAreSealed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.user("alice")
	site := w.project("site", alice.NamespaceID, alice.ID)
	h, err := w.NewHook(ctx, site.Container())
	require.NoError(t, err)
	h.URL = "https://example.com/{where}"
	w.SetHookToken(&h, "hush")
	h.URLVariables = store.HookVariables{w.HookVariable(h, "where", "secret-place")}
	hooks := w.Hooks(site.Container())
	h, err = hooks.Create(ctx, h)
	require.NoError(t, err)

	token, err := w.HookToken(h)
	require.NoError(t, err)
	require.Equal(t, "hush", token)
	place, err := w.HookValue(h, h.URLVariables[0])
	require.NoError(t, err)
	require.Equal(t, "secret-place", place)
	for _, row := range texts(t, w.Store, `select hooks::text from hooks`) {
		require.NotContains(t, row, "hush")
		require.NotContains(t, row, "secret-place")
	}

	h, err = hooks.Change(ctx, store.ByID(h.ID), func(h *store.Hook) error {
		w.SetHookToken(h, "")
		return nil
	})
	require.NoError(t, err)
	require.Nil(t, h.Token)
}

func TestMaskURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://user:pw@host/a?b=c@d":    "https://user:*****@host/a?b=c@d",
		"https://user:p:w@d@host:81":      "https://user:*****@host:81",
		"https://token@host/":             "https://*****@host/",
		"https://token:@host/":            "https://*****@host/",
		"https://:pw@host/":               "https://:*****@host/",
		"https://user:{a}b@{host}/{what}": "https://user:*****@{host}/{what}",
		"https://user:*****@host/":        "https://user:*****@host/",
		"https://user:{password}@host/":   "",
		"https://{token}@host/":           "",
		"https://host/a:b@c":              "",
		"https://host?a:b@c":              "",
		"https://@host/":                  "",
		"https://host":                    "",
		"no address":                      "",
		"":                                "",
	} {
		shown, secret := store.MaskURL(url)
		require.Equal(t, want != "", secret, url)
		if !secret {
			want = url
		}
		require.Equal(t, want, shown, url)
	}
}

// What one process changes, another one hears.
func TestBells(t *testing.T) {
	t.Parallel()
	url := servertest.URL(t)
	here, herePool, err := store.Open(t.Context(), url, nil)
	require.NoError(t, err)
	defer herePool.Close()
	there, therePool, err := store.Open(t.Context(), url, nil)
	require.NoError(t, err)
	defer therePool.Close()

	heard := make(chan int64, 10)
	there.OnUserChange(func(id int64) { heard <- id })
	go func() { _ = there.Listen(t.Context()) }()
	require.Zero(t, <-heard, "whatever happened before may have been missed")

	u, err := here.CreateUser(t.Context(), store.NewUser("alice", "Alice", "alice@example.com"))
	require.NoError(t, err)
	changed, err := here.SetUserState(t.Context(), u.ID, "blocked", "active")
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, u.ID, <-heard)
}
