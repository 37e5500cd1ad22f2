package setting_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/instance"
	"hew/server/servertest"
	"hew/server/setting"
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
	a, err := instance.HoldSettings(ctx, st)
	require.NoError(t, err)
	require.Nil(t, a.Values()[key])
	none, err := instance.Secret(st, a, key)
	require.NoError(t, err)
	require.Empty(t, none)

	require.NoError(t, instance.SetSetting(st, &a, secret, "hush-hush"))
	a, err = instance.UpdateSettings(ctx, st, a)
	require.NoError(t, err)
	require.Equal(t, instance.SecretSetting, a.Values()[key])
	text, err := instance.Secret(st, a, key)
	require.NoError(t, err)
	require.Equal(t, "hush-hush", text)
	for _, row := range texts(t, st, `select application_settings::text from application_settings`) {
		require.NotContains(t, row, "hush")
	}
	a.Sealed["recaptcha_private_key"] = a.Sealed[key]
	_, err = instance.Secret(st, a, "recaptcha_private_key")
	require.ErrorContains(t, err, "another", "a seal is for its key")

	require.NoError(t, instance.SetSetting(st, &a, secret, nil))
	require.NotContains(t, a.Sealed, key)
}

// Only what differs from the defaults is kept, and a value of another type is none.
func TestSettingsAreSparse(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	ctx := t.Context()
	a, err := instance.ReadAllSettings(ctx, st)
	require.NoError(t, err)
	depth := settingCase(t, "max_yaml_depth")
	require.NoError(t, instance.SetSetting(st, &a, depth, 7))
	require.Equal(t, map[string]any{"max_yaml_depth": int64(7)}, map[string]any(a.Changed))
	require.NoError(t, instance.SetSetting(st, &a, settingCase(t, "session_expire_delay"), 1<<60+1))
	a, err = instance.UpdateSettings(ctx, st, a)
	require.NoError(t, err)
	require.Equal(t, int64(1<<60+1), a.Values()["session_expire_delay"], "more than a float64 holds")
	require.NoError(t, instance.SetSetting(st, &a, settingCase(t, "session_expire_delay"), nil))
	require.NoError(t, instance.SetSetting(st, &a, depth, 100))
	require.Empty(t, a.Changed)
	require.ErrorContains(t, instance.SetSetting(st, &a, depth, "deep"), "setting max_yaml_depth: is not of type integer")

	require.NoError(t, setting.Set(ctx, st, "max_yaml_depth", "deep"))
	require.NoError(t, setting.Set(ctx, st, "notes_create_limit", 5))
	a, err = instance.ReadAllSettings(ctx, st)
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
	limit := func(st *db.Store) int {
		s, err := setting.Read(ctx, st)
		require.NoError(t, err)
		return s.DefaultProjectsLimit
	}
	require.Equal(t, 100_000, limit(st))
	for _, end := range []error{errUndone, nil} {
		tx, finish, err := st.Begin(ctx)
		require.NoError(t, err)
		require.NoError(t, setting.Set(ctx, tx, "default_projects_limit", 7))
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
	here, herePool, err := db.Open(t.Context(), url, nil)
	require.NoError(t, err)
	defer herePool.Close()
	there, therePool, err := db.Open(t.Context(), url, nil)
	require.NoError(t, err)
	defer therePool.Close()
	heard := make(chan int64, 10)
	there.OnUserChange(func(id int64) { heard <- id })
	go func() { _ = there.Listen(t.Context()) }()
	require.Zero(t, <-heard)

	before, err := setting.Read(t.Context(), there)
	require.NoError(t, err)
	require.Zero(t, before.HookCallsPerMinute)
	require.NoError(t, here.Tx(t.Context(), func(tx *db.Store) error {
		l, err := setting.HoldPlanLimits(t.Context(), tx, "default")
		require.NoError(t, err)
		l.Limits.WebHookCalls = 7
		return setting.UpdatePlanLimits(t.Context(), tx, l)
	}))
	require.Zero(t, <-heard)
	after, err := setting.Read(t.Context(), there)
	require.NoError(t, err)
	require.Equal(t, 7, after.HookCallsPerMinute)
}
