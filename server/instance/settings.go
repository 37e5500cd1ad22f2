package instance

import (
	"context"
	"fmt"
	"strings"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/tree"
)

// ChangeSettings gives application settings the values that are stated, by whichever of their names; nil is the default.
// All settings must go together afterwards. A secret that is stated as reading shows it stays what it is.
func ChangeSettings(ctx context.Context, st *db.Store, stated map[string]any, by tree.User) (a AllSettings, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if a, err = HoldSettings(ctx, st); err != nil {
			return err
		}
		if err := refusedRequest(catalogue.CheckSettings(stated), a); err != nil {
			return err
		}
		own := catalogue.Fold(stated)
		if err := besides(ctx, st, own, by); err != nil {
			return err
		}
		next := a.Values()
		for key, value := range own {
			s, known := catalogue.SettingByKey(key)
			if !known || s.Secret && value == SecretSetting {
				delete(own, key)
				continue
			}
			if next[key] = value; value == nil {
				next[key] = s.Default
			}
		}
		if err := wrongSettings(catalogue.CheckSettings(next)); err != nil {
			return err
		}
		for key, value := range own {
			s, _ := catalogue.SettingByKey(key)
			if err := SetSetting(st, &a, s, value); err != nil {
				return err
			}
		}
		a, err = UpdateSettings(ctx, st, a)
		return err
	})
	return a, err
}

// refusedRequest is the answer to parameters that are not given together as they have to be. What a switch takes with it may
// have been given before; a default does not do, since nobody has chosen it.
func refusedRequest(found []catalogue.Problem, a AllSettings) error {
	var wrong []string
	for _, p := range found {
		s, _ := catalogue.SettingByKey(p.Key)
		if p.Request && !a.Stored(s.Key) && !a.Stored(s.Alias) {
			wrong = append(wrong, p.String())
		}
	}
	if wrong == nil {
		return nil
	}
	return fault.Param(strings.Join(wrong, ", "))
}

// wrongSettings is the answer to settings that are not right as they would be.
func wrongSettings(found []catalogue.Problem) error {
	var wrong check.Problems
	for _, p := range found {
		if !p.Request {
			wrong.On(p.Key, p.Text)
		}
	}
	return wrong.Err()
}

// besides adds what follows from what is stated: the protection of default branches is a level or what that stands for,
// and a group may be named by its path.
func besides(ctx context.Context, st *db.Store, own map[string]any, by tree.User) error {
	const level, protection = "default_branch_protection", "default_branch_protection_defaults"
	if n, ok := own[level].(int64); ok && own[protection] == nil {
		own[protection] = setting.ProtectionOf(int(n))
	}
	if p, ok := own[protection].(setting.BranchProtection); ok && own[level] == nil {
		if n, known := setting.ProtectionLevel(p); known {
			own[level] = int64(n)
		}
	}
	for _, key := range []string{barPath, barID} {
		ref, stated := own[key]
		if !stated {
			continue
		}
		own[barID], own[barPath] = nil, nil
		if ref == nil || ref == "" {
			return nil
		}
		g, err := tree.GroupFor(ctx, st, fmt.Sprint(ref), by.ID)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return fault.Invalid(key, "does not exist")
		}
		own[barID], own[barPath] = g.ID, g.FullPath
		return err
	}
	return nil
}

// The two ways to say whose performance bar there is.
const (
	barID   = "performance_bar_allowed_group_id"
	barPath = "performance_bar_allowed_group_path"
)
