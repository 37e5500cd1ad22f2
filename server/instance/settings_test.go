package instance_test

import (
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

// A secret among the settings is sealed: it can be had only by asking for it, and stands nowhere as
// it is.
func TestSecretSettings(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	ctx := t.Context()
	const key = "akismet_api_key"
	secret := settingCase(t, key)
	a, err := instance.HoldSettings(ctx, st)
	require.NoError(t, err)
	require.Nil(t, a.Values()[key])
	none, err := setting.OpenSecret(st, key, a.Sealed[key])
	require.NoError(t, err)
	require.Empty(t, none)

	require.NoError(t, instance.SetSetting(st, &a, secret, "hush-hush"))
	a, err = instance.UpdateSettings(ctx, st, a)
	require.NoError(t, err)
	require.Equal(t, instance.SecretSetting, a.Values()[key])
	text, err := setting.OpenSecret(st, key, a.Sealed[key])
	require.NoError(t, err)
	require.Equal(t, "hush-hush", text)
	rows, err := db.Value[string](ctx, st, `select string_agg(a::text, ' ') from application_settings a`, nil)
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	require.NotContains(t, rows, "hush")
	a.Sealed["recaptcha_private_key"] = a.Sealed[key]
	_, err = setting.OpenSecret(st, "recaptcha_private_key", a.Sealed["recaptcha_private_key"])
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
	require.ErrorContains(
		t, instance.SetSetting(st, &a, depth, "deep"), "setting max_yaml_depth: is not of type integer",
	)

	require.NoError(t, setting.Set(ctx, st, "max_yaml_depth", "deep"))
	require.NoError(t, setting.Set(ctx, st, "notes_create_limit", 5))
	a, err = instance.ReadAllSettings(ctx, st)
	require.NoError(t, err)
	require.Equal(t, int64(100), a.Values()["max_yaml_depth"])
	require.Equal(t, int64(5), a.Values()["notes_create_limit"])
}
