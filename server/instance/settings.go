package instance

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/tree"
)

// AllSettings are all application settings as they are stored: those that differ from their
// defaults, with secrets sealed.
type AllSettings struct {
	ID        int64             `db:"id"`
	Changed   db.JSONObject     `db:"settings"` // by key, what is not the default, or what a switch wants to be given
	Sealed    map[string][]byte `db:"secrets"`  // by key
	CreatedAt time.Time         `db:"created_at,auto"`
	UpdatedAt time.Time         `db:"updated_at,auto"`
}

const selectSettings = `select id, settings, secrets, created_at, updated_at from application_settings where id = 1`

// ReadAllSettings returns all application settings.
func ReadAllSettings(ctx context.Context, s *db.Store) (AllSettings, error) {
	return db.One[AllSettings](ctx, s, "Settings", selectSettings, nil)
}

// holdSettings returns all application settings and locks their row until the transaction ends.
func holdSettings(ctx context.Context, s *db.Store) (AllSettings, error) {
	return db.One[AllSettings](ctx, s, "Settings", selectSettings+` for no key update`, nil)
}

// updateSettings stores the settings and returns them as stored.
func updateSettings(ctx context.Context, s *db.Store, a AllSettings) (AllSettings, error) {
	if err := s.Update(ctx, "application_settings", a); err != nil {
		return a, err
	}
	if err := setting.SettingsChanged(ctx, s); err != nil {
		return a, err
	}
	return ReadAllSettings(ctx, s)
}

// secretSetting replaces a secret that is set wherever settings are shown.
const secretSetting = "[MASKED]"

// setSetting stores a value of the setting's type. Nil and the default are not stored, unless it
// matters that somebody gave the value. Secrets are sealed, and an empty secret is deleted.
func setSetting(st *db.Store, a *AllSettings, s catalogue.Setting, value any) error {
	v, err := s.Normal(value)
	if err != nil {
		return fmt.Errorf("setting %s: %w", s.Key, err)
	}
	if a.Sealed == nil {
		a.Sealed = map[string][]byte{}
	}
	switch text, _ := v.(string); {
	case s.Secret && text == "":
		delete(a.Sealed, s.Key)
	case s.Secret:
		a.Sealed[s.Key] = setting.SealSecret(st, s.Key, text)
	case v == nil || s.Given == "" && reflect.DeepEqual(v, s.Default):
		delete(a.Changed, s.Key)
	default:
		a.Changed[s.Key] = v
	}
	return nil
}

// isStored reports whether somebody has given the setting a value.
func (a AllSettings) isStored(key string) bool {
	_, plain := a.Changed[key]
	_, sealed := a.Sealed[key]
	return plain || sealed
}

// Values returns all settings by their own keys in the normal form of the catalogue. A secret that
// is set is masked.
func (a AllSettings) Values() map[string]any {
	all := map[string]any{}
	for _, s := range catalogue.Settings() {
		if s.Alias != "" {
			continue
		}
		all[s.Key] = s.Default
		if changed, ok := a.Changed[s.Key]; ok {
			if v, err := s.Normal(changed); err == nil && v != nil { // an older release may have had another type
				all[s.Key] = v
			}
		}
		if _, ok := a.Sealed[s.Key]; ok {
			all[s.Key] = secretSetting
		}
	}
	return all
}

// ChangeSettings gives application settings the stated values, by any of their names; nil is the
// default. It checks all settings together afterwards. A secret that is stated in its masked form
// keeps its value.
func ChangeSettings(ctx context.Context, st *db.Store, stated map[string]any, by tree.User) (a AllSettings, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if a, err = holdSettings(ctx, st); err != nil {
			return err
		}
		if err := checkRequest(catalogue.CheckSettings(stated), a); err != nil {
			return err
		}
		own := catalogue.Fold(stated)
		if err := addImplied(ctx, st, own, by); err != nil {
			return err
		}
		next := a.Values()
		for key, value := range own {
			s, known := catalogue.SettingByKey(key)
			if !known || s.Secret && value == secretSetting {
				delete(own, key)
				continue
			}
			if next[key] = value; value == nil {
				next[key] = s.Default
			}
		}
		if err := settingsError(catalogue.CheckSettings(next)); err != nil {
			return err
		}
		for key, value := range own {
			s, _ := catalogue.SettingByKey(key)
			if err := setSetting(st, &a, s, value); err != nil {
				return err
			}
		}
		a, err = updateSettings(ctx, st, a)
		return err
	})
	return a, err
}

// checkRequest refuses parameters whose required companions are missing. A companion may have been
// stored before; a default does not count, because nobody chose it.
func checkRequest(found []catalogue.Problem, a AllSettings) error {
	var wrong []string
	for _, p := range found {
		s, _ := catalogue.SettingByKey(p.Key)
		if p.Request && !a.isStored(s.Key) && !a.isStored(s.Alias) {
			wrong = append(wrong, p.String())
		}
	}
	if wrong == nil {
		return nil
	}
	return fault.Param(strings.Join(wrong, ", "))
}

// settingsError returns the problems of settings as they would be.
func settingsError(found []catalogue.Problem) error {
	var wrong check.Problems
	for _, p := range found {
		if !p.Request {
			wrong.On(p.Key, p.Text)
		}
	}
	return wrong.Err()
}

// addImplied adds what follows from the stated values: the protection of default branches is given
// as a level or in detail, and a group by id or path.
func addImplied(ctx context.Context, st *db.Store, own map[string]any, by tree.User) error {
	const level, protection = "default_branch_protection", "default_branch_protection_defaults"
	if n, ok := own[level].(int64); ok && own[protection] == nil {
		own[protection] = setting.ProtectionOf(int(n))
	}
	if p, ok := own[protection].(setting.BranchProtection); ok && own[level] == nil {
		if n, known := setting.ProtectionLevel(p); known {
			own[level] = int64(n)
		}
	}
	for _, key := range []string{performanceBarPath, performanceBarID} {
		ref, stated := own[key]
		if !stated {
			continue
		}
		own[performanceBarID], own[performanceBarPath] = nil, nil
		if ref == nil || ref == "" {
			return nil
		}
		g, err := tree.GroupFor(ctx, st, fmt.Sprint(ref), by.ID)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return fault.Invalid(key, "does not exist")
		}
		own[performanceBarID], own[performanceBarPath] = g.ID, g.FullPath
		return err
	}
	return nil
}

// The two ways to say whose performance bar there is.
const (
	performanceBarID   = "performance_bar_allowed_group_id"
	performanceBarPath = "performance_bar_allowed_group_path"
)
