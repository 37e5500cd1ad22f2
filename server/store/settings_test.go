package store_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/servertest"
	"hew/server/store"
)

func settingCase(t *testing.T, key string) catalogue.Setting {
	t.Helper()
	s, ok := catalogue.SettingByKey(key)
	require.True(t, ok)
	return s
}

// A secret among the settings is sealed: it can be had only by asking for it, and stands nowhere as it is.
func TestSecretSettings(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	ctx := t.Context()
	const key = "akismet_api_key"
	secret := settingCase(t, key)
	a, err := st.HoldSettings(ctx)
	require.NoError(t, err)
	require.Nil(t, a.Values()[key])
	none, err := st.Secret(a, key)
	require.NoError(t, err)
	require.Empty(t, none)

	require.NoError(t, st.SetSetting(&a, secret, "hush-hush"))
	a, err = st.UpdateSettings(ctx, a)
	require.NoError(t, err)
	require.Equal(t, store.SecretSetting, a.Values()[key])
	text, err := st.Secret(a, key)
	require.NoError(t, err)
	require.Equal(t, "hush-hush", text)
	for _, row := range texts(t, st, `select application_settings::text from application_settings`) {
		require.NotContains(t, row, "hush")
	}
	a.Sealed["recaptcha_private_key"] = a.Sealed[key]
	_, err = st.Secret(a, "recaptcha_private_key")
	require.ErrorContains(t, err, "another", "a seal is for its key")

	require.NoError(t, st.SetSetting(&a, secret, nil))
	require.NotContains(t, a.Sealed, key)
}

// Only what differs from the defaults is kept, and a value of another type is none.
func TestSettingsAreSparse(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	ctx := t.Context()
	a, err := st.AllSettings(ctx)
	require.NoError(t, err)
	depth := settingCase(t, "max_yaml_depth")
	require.NoError(t, st.SetSetting(&a, depth, 7))
	require.Equal(t, map[string]any{"max_yaml_depth": int64(7)}, map[string]any(a.Changed))
	require.NoError(t, st.SetSetting(&a, settingCase(t, "session_expire_delay"), 1<<60+1))
	a, err = st.UpdateSettings(ctx, a)
	require.NoError(t, err)
	require.Equal(t, int64(1<<60+1), a.Values()["session_expire_delay"], "more than a float64 holds")
	require.NoError(t, st.SetSetting(&a, settingCase(t, "session_expire_delay"), nil))
	require.NoError(t, st.SetSetting(&a, depth, 100))
	require.Empty(t, a.Changed)
	require.ErrorContains(t, st.SetSetting(&a, depth, "deep"), "setting max_yaml_depth: is not of type integer")

	require.NoError(t, st.Set(ctx, "max_yaml_depth", "deep"))
	require.NoError(t, st.Set(ctx, "notes_create_limit", 5))
	a, err = st.AllSettings(ctx)
	require.NoError(t, err)
	require.Equal(t, int64(100), a.Values()["max_yaml_depth"])
	require.Equal(t, int64(5), a.Values()["notes_create_limit"])
}

var errUndone = errors.New("undone on purpose")

// A transaction sees what it changed; others see it once it is committed, and never what is rolled back.
func TestSettingsOfATransaction(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	ctx := t.Context()
	limit := func(st *store.Store) int {
		s, err := st.Settings(ctx)
		require.NoError(t, err)
		return s.DefaultProjectsLimit
	}
	require.Equal(t, 100_000, limit(st))
	for _, end := range []error{errUndone, nil} {
		tx, finish, err := st.Begin(ctx)
		require.NoError(t, err)
		require.NoError(t, tx.Set(ctx, "default_projects_limit", 7))
		require.Equal(t, 7, limit(tx))
		require.Equal(t, 100_000, limit(st))
		require.ErrorIs(t, finish(end), end)
	}
	require.Equal(t, 7, limit(st))
}

// What one process sets, another one that remembers the settings hears of; the limits that are settings are among them.
func TestSettingsAreHeard(t *testing.T) {
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
	require.Zero(t, <-heard)

	before, err := there.Settings(t.Context())
	require.NoError(t, err)
	require.Zero(t, before.HookCallsPerMinute)
	require.NoError(t, here.Tx(t.Context(), func(tx *store.Store) error {
		l, err := tx.HoldPlanLimits(t.Context(), "default")
		require.NoError(t, err)
		l.Limits.WebHookCalls = 7
		return tx.UpdatePlanLimits(t.Context(), l)
	}))
	require.Zero(t, <-heard)
	after, err := there.Settings(t.Context())
	require.NoError(t, err)
	require.Equal(t, 7, after.HookCallsPerMinute)
}
