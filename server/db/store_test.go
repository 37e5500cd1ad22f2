package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/hook"
	"hew/server/people"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/tree"
)

// A database that is away comes back: nothing has happened, and the client may ask again.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), "host=/nowhere")
	require.NoError(t, err)
	defer pool.Close()
	st := db.Over(pool, db.Config{})
	_, err = tree.FindUser(t.Context(), st, 1)
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	_, _, err = people.Users(t.Context(), st, people.UserFilter{}, db.Page{Limit: 1})
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(st.Tx(t.Context(), func(*db.Store) error { return nil })))
}

// A connection that is lost at work is no error of the server's: in a statement, in those after it
// in the transaction, in one that bypasses the store, and in the commit.
func TestLostConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	const kill = `select pg_terminate_backend(pg_backend_pid())`
	killed := func(st *db.Store) error { return st.Exec(ctx, kill, nil) }
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(killed(w.Store)))
	tests := map[string]func(*db.Store) error{
		"first": killed,
		"next": func(st *db.Store) error {
			_ = killed(st)
			_, err := setting.Read(ctx, st)
			return err
		},
		"own": func(st *db.Store) error {
			_, err := st.DB().Exec(ctx, kill)
			return err
		},
		"commit":    func(st *db.Store) error { _ = killed(st); return nil },
		"elsewhere": func(st *db.Store) error { _ = killed(st); return errors.New("it depended on that") },
	}
	for name, do := range tests {
		require.Equal(t, fault.CodeUnavailable, fault.CodeOf(w.Tx(ctx, do)), name)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, w.Exec(canceled, `select 1`, nil), context.Canceled)
}

func TestTx(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	var done []string
	note := func(what string) func() { return func() { done = append(done, what) } }

	fail := errors.New("no")
	err := w.Tx(ctx, func(st *db.Store) error {
		st.AfterCommit(note("never"))
		_, err := tree.CreateUser(ctx, st, tree.NewUser("alice", "Alice", "alice@example.com"))
		require.NoError(t, err)
		return fail
	})
	require.ErrorIs(t, err, fail)
	_, err = tree.UserByName(ctx, w.Store, "alice")
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))

	require.Panics(t, func() {
		_ = w.Tx(ctx, func(st *db.Store) error {
			_, _ = tree.CreateUser(ctx, st, tree.NewUser("bob", "Bob", "bob@example.com"))
			panic("oh")
		})
	})
	_, err = tree.UserByName(ctx, w.Store, "bob")
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))

	require.NoError(t, w.Tx(ctx, func(st *db.Store) error {
		require.ErrorIs(t, fail, st.Savepoint(ctx, func(st *db.Store) error {
			st.AfterCommit(note("never"))
			_, err := tree.CreateUser(ctx, st, tree.NewUser("cat", "Cat", "cat@example.com"))
			require.NoError(t, err)
			return fail
		}))
		_, err := tree.UserByName(ctx, st, "cat")
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "undone alone")
		require.NoError(t, st.Savepoint(ctx, func(st *db.Store) error { st.AfterCommit(note("inner")); return nil }))
		require.NoError(t, st.Tx(ctx, func(joined *db.Store) error {
			require.Same(t, st, joined, "a transaction in a transaction is the same one")
			return nil
		}))
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
		w.User(name)
	}
	names := func(users []tree.User) (list []string) {
		for _, u := range users {
			list = append(list, u.Username)
		}
		return list
	}
	users, total, err := people.Users(
		ctx, w.Store, people.UserFilter{}, db.Page{Limit: 2, Offset: 2, Order: "username", Desc: true},
	)
	require.NoError(t, err)
	require.Equal(t, 5, total)
	require.Equal(t, []string{"cat", "ben"}, names(users))

	users, total, err = people.Users(ctx, w.Store, people.UserFilter{}, db.Page{Limit: 2, ByKey: true})
	require.NoError(t, err)
	require.Equal(t, -1, total)
	require.Equal(t, []string{"ann", "ben"}, names(users))
	users, _, err = people.Users(
		ctx, w.Store, people.UserFilter{}, db.Page{Limit: 2, ByKey: true, After: db.Position{ID: users[1].ID}},
	)
	require.NoError(t, err)
	require.Equal(t, []string{"cat", "dan"}, names(users))
	users, _, err = people.Users(ctx, w.Store, people.UserFilter{},
		db.Page{Limit: 2, ByKey: true, Desc: true, After: db.Position{ID: users[1].ID}})
	require.NoError(t, err)
	require.Equal(t, []string{"cat", "ben"}, names(users))

	users, _, err = people.Users(ctx, w.Store, people.UserFilter{Search: "a_"}, db.Page{Limit: 9})
	require.NoError(t, err)
	require.Empty(t, users, "the signs of patterns stand for themselves")
}

func TestTextThatCannotBeStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := tree.CreateUser(t.Context(), w.Store, tree.NewUser("nul\x00", "Nul", "nul@example.com"))
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}

func TestSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	s, err := setting.Read(ctx, w.Store)
	require.NoError(t, err)
	require.Equal(t, 7, s.DeletionAdjournedPeriod)
	require.NoError(t, setting.Set(ctx, w.Store, "deletion_adjourned_period", 0))
	require.NoError(t, setting.Set(ctx, w.Store, "some_setting_that_is_only_kept", "x"))
	s, err = setting.Read(ctx, w.Store)
	require.NoError(t, err)
	require.Zero(t, s.DeletionAdjournedPeriod)
	require.Equal(t, "main", s.DefaultBranchName)
}

func TestHookSecretsAreSealed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	site := w.Project("site", alice.NamespaceID, alice.ID)
	h, err := hook.NewHook(ctx, w.Store, site.Container())
	require.NoError(t, err)
	h.URL = "https://example.com/{where}"
	hook.SetToken(w.Store, &h, "hush")
	h.URLVariables = hook.Variables{hook.SealVariable(w.Store, h, "where", "secret-place")}
	hooks := hook.Hooks(w.Store, site.Container())
	h, err = hooks.Create(ctx, h)
	require.NoError(t, err)

	token, err := hook.PlainToken(w.Store, h)
	require.NoError(t, err)
	require.Equal(t, "hush", token)
	place, err := hook.PlainValue(w.Store, h, h.URLVariables[0])
	require.NoError(t, err)
	require.Equal(t, "secret-place", place)
	for _, row := range texts(t, w.Store, `select hooks::text from hooks`) {
		require.NotContains(t, row, "hush")
		require.NotContains(t, row, "secret-place")
	}

	h, err = hooks.Change(ctx, db.ByID(h.ID), func(_ *db.Store, h *hook.Hook) error {
		hook.SetToken(w.Store, h, "")
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
		shown, secret := hook.MaskURL(url)
		require.Equal(t, want != "", secret, url)
		if !secret {
			want = url
		}
		require.Equal(t, want, shown, url)
	}
}

// A process is notified of changes by another process.
func TestBells(t *testing.T) {
	t.Parallel()
	url := servertest.URL(t)
	here, herePool, err := db.Open(t.Context(), db.Config{URL: url})
	require.NoError(t, err)
	defer herePool.Close()
	there, therePool, err := db.Open(t.Context(), db.Config{URL: url})
	require.NoError(t, err)
	defer therePool.Close()

	heard := make(chan int64, 10)
	there.OnUserChange(func(id int64) { heard <- id })
	go func() { _ = there.Listen(t.Context()) }()
	require.Zero(t, <-heard, "whatever happened before may have been missed")

	u, err := tree.CreateUser(t.Context(), here, tree.NewUser("alice", "Alice", "alice@example.com"))
	require.NoError(t, err)
	changed, err := tree.SetUserState(t.Context(), here, u.ID, "blocked", "active")
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, u.ID, <-heard)
}
