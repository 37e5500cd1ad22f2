package instance

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/setting"
)

// AllSettings are all application settings, as they are kept: sparsely, and the secrets sealed.
type AllSettings struct {
	ID        int64             `db:"id"`
	Changed   db.JSONObject     `db:"settings"` // by key, what is not the default, or what a switch wants to be given
	Sealed    map[string][]byte `db:"secrets"`  // by key
	CreatedAt time.Time         `db:"created_at,auto"`
	UpdatedAt time.Time         `db:"updated_at,auto"`
}

const selectSettings = `select id, settings, secrets, created_at, updated_at from application_settings where id = 1`

// ReadAllSettings reads all application settings.
func ReadAllSettings(ctx context.Context, s *db.Store) (AllSettings, error) {
	return db.One[AllSettings](ctx, s, "Settings", selectSettings, nil)
}

// HoldSettings reads all application settings and keeps others from changing them until the transaction ends.
func HoldSettings(ctx context.Context, s *db.Store) (AllSettings, error) {
	return db.One[AllSettings](ctx, s, "Settings", selectSettings+` for no key update`, nil)
}

// UpdateSettings stores the settings.
func UpdateSettings(ctx context.Context, s *db.Store, a AllSettings) (AllSettings, error) {
	if err := s.Update(ctx, "application_settings", a); err != nil {
		return a, err
	}
	if err := setting.SettingsChanged(ctx, s); err != nil {
		return a, err
	}
	return ReadAllSettings(ctx, s)
}

// SecretSetting stands for a secret that is set, wherever settings are read.
const SecretSetting = "[MASKED]"

// SetSetting gives a setting a value of its type; nil is not kept, nor the default, unless it counts that somebody gave it.
// A secret is sealed, and a blank one taken away.
func SetSetting(s *db.Store, a *AllSettings, setting catalogue.Setting, value any) error {
	v, err := setting.Normal(value)
	if err != nil {
		return fmt.Errorf("setting %s: %w", setting.Key, err)
	}
	if a.Sealed == nil {
		a.Sealed = map[string][]byte{}
	}
	switch text, _ := v.(string); {
	case setting.Secret && text == "":
		delete(a.Sealed, setting.Key)
	case setting.Secret:
		a.Sealed[setting.Key] = s.Seal.Seal(settingSecret+setting.Key, a.ID, []byte(text))
	case v == nil || setting.Given == "" && reflect.DeepEqual(v, setting.Default):
		delete(a.Changed, setting.Key)
	default:
		a.Changed[setting.Key] = v
	}
	return nil
}

// Stored says whether somebody has given the setting a value.
func (a AllSettings) Stored(key string) bool {
	_, plain := a.Changed[key]
	_, sealed := a.Sealed[key]
	return plain || sealed
}

// settingSecret is where the secrets among the settings are, for their seals.
const settingSecret = "application_settings."

// Secret is the value of a secret setting; empty if there is none.
func Secret(s *db.Store, a AllSettings, key string) (string, error) {
	sealed, ok := a.Sealed[key]
	if !ok {
		return "", nil
	}
	text, err := s.Seal.Open(settingSecret+key, a.ID, sealed)
	return string(text), err
}

// Values are all settings by the keys they have in their own right, in the normal form of the catalogue; of secrets, whether
// they are there.
func (a AllSettings) Values() map[string]any {
	all := map[string]any{}
	for _, s := range catalogue.Settings() {
		if s.Alias != "" {
			continue
		}
		all[s.Key] = s.Default
		if changed, ok := a.Changed[s.Key]; ok {
			if v, err := s.Normal(changed); err == nil && v != nil { // a type of an older release is no value any more
				all[s.Key] = v
			}
		}
		if _, ok := a.Sealed[s.Key]; ok {
			all[s.Key] = SecretSetting
		}
	}
	return all
}
