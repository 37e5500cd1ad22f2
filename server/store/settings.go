package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Settings are the application settings that this server acts upon. A key that nobody has set has its default. The
// table holds any key of the public list; those without a field here are kept and answered, and change nothing.
type Settings struct {
	DeletionAdjournedPeriod  int    `json:"deletion_adjourned_period"` // days between marking and removal; 0: at once
	AllowLocalHooks          bool   `json:"allow_local_requests_from_web_hooks_and_services"`
	DefaultGroupVisibility   string `json:"default_group_visibility"`
	DefaultProjectVisibility string `json:"default_project_visibility"`
	DefaultBranchName        string `json:"default_branch_name"`
	DefaultProjectsLimit     int    `json:"default_projects_limit"`
	CanCreateGroup           bool   `json:"can_create_group"`
	MinimumPasswordLength    int    `json:"minimum_password_length"`
	TokenPrefix              string `json:"personal_access_token_prefix"`
	AdminMode                bool   `json:"admin_mode"`
}

func defaults() Settings {
	return Settings{
		DeletionAdjournedPeriod:  7,
		DefaultGroupVisibility:   "private",
		DefaultProjectVisibility: "private",
		DefaultBranchName:        "main",
		DefaultProjectsLimit:     100_000,
		CanCreateGroup:           true,
		MinimumPasswordLength:    8,
		TokenPrefix:              "glpat-",
	}
}

// Settings reads the application settings.
func (s *Store) Settings(ctx context.Context) (Settings, error) {
	text, err := value[[]byte](ctx, s, `select coalesce(jsonb_object_agg(key, value), '{}') from settings`, nil)
	if err != nil {
		return Settings{}, err
	}
	all := defaults()
	if err := json.Unmarshal(text, &all); err != nil {
		return Settings{}, fmt.Errorf("read the application settings: %w", err)
	}
	return all, nil
}

// Set stores one application setting; the value is anything that encodes as JSON.
func (s *Store) Set(ctx context.Context, key string, val any) error {
	text, err := json.Marshal(val)
	if err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	return s.exec(ctx, `
		insert into settings (key, value) values (@key, @value)
		on conflict (key) do update set value = excluded.value`,
		pgx.NamedArgs{"key": key, "value": text})
}
