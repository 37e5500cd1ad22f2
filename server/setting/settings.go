package setting

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/db"
)

// Settings are the application settings that this server acts upon. Others are stored and answered
// only. Their names and defaults are those of the catalogue.
type Settings struct {
	DeletionAdjournedPeriod int  `json:"deletion_adjourned_period"` // days between marking and removal; 0: at once
	AllowLocalHooks         bool `json:"allow_local_requests_from_web_hooks_and_services"`
	AllowLocalSystemHooks   bool `json:"allow_local_requests_from_system_hooks"`
	// local places that requests may go to nevertheless
	OutboundAllowlist        []string `json:"outbound_local_requests_whitelist"`
	SilentMode               bool     `json:"silent_mode_enabled"` // nothing is sent to anybody
	HookCallsPerMinute       int      `json:"web_hook_calls"`      // of all hooks below a top group; 0: any number
	DefaultGroupVisibility   string   `json:"default_group_visibility"`
	DefaultProjectVisibility string   `json:"default_project_visibility"`
	DefaultSnippetVisibility string   `json:"default_snippet_visibility"`
	SnippetSizeLimit         int64    `json:"snippet_size_limit"`           // of all files of a snippet, in bytes
	RestrictedVisibilities   []string `json:"restricted_visibility_levels"` // for administrators only
	// pushes of more refs are not sent to hooks; 0: none is
	PushEventHooksLimit int      `json:"push_event_hooks_limit"`
	PushEventsLimit     int      `json:"push_event_activities_limit"` // refs of a push that are shown one by one
	ReceiveMaxInputSize int      `json:"receive_max_input_size"`      // of a push, in MB; 0: any size
	DiffMaxFiles        int      `json:"diff_max_files"`              // that one diff shows
	DiffMaxLines        int      `json:"diff_max_lines"`              // likewise
	DiffMaxPatchBytes   int      `json:"diff_max_patch_bytes"`        // of one file that a diff shows
	RepositorySizeLimit int64    `json:"repository_size_limit"`       // with its LFS objects, in bytes; 0: any size
	ImportSources       []string `json:"import_sources"`              // from where projects can be imported
	// of what is imported from another host, in MB; 0: any size
	MaxRemoteImport      int    `json:"max_import_remote_file_size"`
	DefaultBranchName    string `json:"default_branch_name"`
	BranchProtection     int    `json:"default_branch_protection"`
	ProjectCreation      int    `json:"default_project_creation"` // who may create projects in a new group
	DefaultProjectsLimit int    `json:"default_projects_limit"`
	CanCreateGroup       bool   `json:"can_create_group"`
	UserDefaultExternal  bool   `json:"user_default_external"`
	// of e-mail addresses that are not external after all
	UserDefaultInternalRegex string `json:"user_default_internal_regex"`
	PrivateProfiles          bool   `json:"user_defaults_to_private_profile"`
	MinimumPasswordLength    int    `json:"minimum_password_length"`
	PasswordNumber           bool   `json:"password_number_required"`
	PasswordSymbol           bool   `json:"password_symbol_required"`
	PasswordUppercase        bool   `json:"password_uppercase_required"`
	PasswordLowercase        bool   `json:"password_lowercase_required"`
	TokenPrefix              string `json:"personal_access_token_prefix"`
	TokenLifetime            int    `json:"max_personal_access_token_lifetime"` // days; 0: what there is without it
	AdminMode                bool   `json:"admin_mode"`
	RegistrationTokens       bool   `json:"allow_runner_registration_token"` // runners may be made with them
	// whose registration tokens are good: group, project
	RunnerRegistrars     []string `json:"valid_runner_registrars"`
	InstanceRunnerExpiry *int64   `json:"runner_token_expiration_interval"`         // seconds
	GroupRunnerExpiry    *int64   `json:"group_runner_token_expiration_interval"`   // seconds
	ProjectRunnerExpiry  *int64   `json:"project_runner_token_expiration_interval"` // seconds
	NoAuthorApproval     bool     `json:"prevent_merge_request_author_approval"`
	NoCommitterApproval  bool     `json:"prevent_merge_request_committers_approval"`
	NoApproverOverrides  bool     `json:"disable_overriding_approvers_per_merge_request"`
	// requests with alerts for one project
	AlertsLimited     bool   `json:"throttle_incident_management_notification_enabled"`
	AlertRequests     int    `json:"throttle_incident_management_notification_per_period"`
	AlertPeriod       int    `json:"throttle_incident_management_notification_period_in_seconds"`
	IssuesCreated     int    `json:"issues_create_limit"` // and epics, by a user in a minute; 0: any number
	NotesCreated      int    `json:"notes_create_limit"`
	JobsListed        int    `json:"project_jobs_api_rate_limit"`
	Searches          int    `json:"search_rate_limit"`
	AnonymousSearches int    `json:"search_rate_limit_unauthenticated"` // from an address
	LimitText         string `json:"rate_limiting_response_text"`       // message for the client; empty: the default
	MirrorsAvailable  bool   `json:"mirror_available"`                  // to maintainers, too
	MirrorMaxDelay    int    `json:"mirror_max_delay"`                  // between two pulls that fail, in minutes
	MirrorCapacity    int    `json:"mirror_max_capacity"`               // pull mirrors that run at once
	MaxTerraformState int64  `json:"max_terraform_state_size_bytes"`    // bytes; 0: whatever a request may have
	PublicPackages    bool   `json:"package_registry_allow_anyone_to_pull_option"`
	MaxAttachmentSize int    `json:"max_attachment_size"`               // in MB
	WikiPageMaxBytes  int    `json:"wiki_page_max_content_bytes"`       // of the text of a page
	OwnersManageLDAP  bool   `json:"allow_group_owners_to_manage_ldap"` // and not only administrators

	AnalyticsEngine string `json:"cube_api_base_url"` // of product analytics; empty: there is none

	MaxYAMLBytes      int64   `json:"max_yaml_size_bytes"` // of a file of a definition of pipelines
	MaxYAMLDepth      int     `json:"max_yaml_depth"`
	MaxIncludes       int     `json:"ci_max_includes"`                     // of one definition
	MaxConfigBytes    int64   `json:"ci_max_total_yaml_size_bytes"`        // of all of its files
	DefaultConfigPath *string `json:"default_ci_config_path"`              // of definitions; nil: the usual one
	PipelinesCreated  int     `json:"pipeline_limit_per_project_user_sha"` // in a minute; 0: any number
	MaxArtifactsSize  int64   `json:"max_artifacts_size"`                  // of one artifact of a job, in MB
	ArtifactsExpireIn string  `json:"default_artifacts_expire_in"`         // such as "30 days"; "0": never
	KeepLatest        bool    `json:"keep_latest_artifact"`                // of each ref, whatever their expiry

	MaxImportSize      int  `json:"max_import_size"`                 // of an uploaded archive, in MB; 0: any size
	MaxUnpackedImport  int  `json:"max_decompressed_archive_size"`   // of what an archive holds, in MB; 0: any size
	UnpackTime         int  `json:"decompress_archive_file_timeout"` // seconds; 0: any time
	ImportsStarted     int  `json:"project_import_limit"`            // by a user in a minute; 0: any number
	ProjectExports     bool `json:"project_export_enabled"`          // are possible
	MaxExportSize      int  `json:"max_export_size"`                 // of an archive, in MB; 0: any size
	ExportsStarted     int  `json:"project_export_limit"`            // by a user in a minute; 0: any number
	ExportsDownloaded  int  `json:"project_download_export_limit"`
	SilentAdminExports bool `json:"silent_admin_exports_enabled"` // administrators get no mail of theirs

	BranchProtectionDefaults BranchProtection `json:"default_branch_protection_defaults"`
	KeyRestrictions
	Throttles
}

// KeyRestrictions are the minimum sizes of SSH keys in bits, by type. 0 allows any size, and -1
// forbids the type.
type KeyRestrictions struct {
	RSA       int `json:"rsa_key_restriction"`
	DSA       int `json:"dsa_key_restriction"`
	ECDSA     int `json:"ecdsa_key_restriction"`
	ED25519   int `json:"ed25519_key_restriction"`
	ECDSASK   int `json:"ecdsa_sk_key_restriction"`
	ED25519SK int `json:"ed25519_sk_key_restriction"`
}

// defaultSettings returns the settings of an instance that has changed none.
var defaultSettings = sync.OnceValues(func() ([]byte, error) {
	values := map[string]any{}
	for _, s := range catalogue.Settings() {
		values[s.Key] = s.Default
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	var ours Settings // the others need not be read every time
	if err := json.Unmarshal(text, &ours); err != nil {
		return nil, err
	}
	return json.Marshal(ours)
})

// Read returns the application settings. Outside a transaction they may be a moment old if another
// process has just changed them; a transaction sees its own changes.
func Read(ctx context.Context, s *db.Store) (Settings, error) {
	if !s.InTx() {
		return cachedSettings(s).get(func() (Settings, error) { return readSettings(ctx, s) })
	}
	return readSettings(ctx, s)
}

// readSettings reads the stored settings over the defaults. The rate limit of hooks is one of the
// default plan.
func readSettings(ctx context.Context, s *db.Store) (all Settings, err error) {
	stored, err := db.Value[[]byte](ctx, s, `
		select settings || jsonb_build_object('web_hook_calls', coalesce(
		       (select limits -> 'web_hook_calls' from plan_limits where plan = 'default'), '0'))
		from application_settings where id = 1`, nil)
	if err != nil {
		return all, err
	}
	defaults, err := defaultSettings()
	for _, text := range [][]byte{defaults, stored} {
		if err == nil {
			err = json.Unmarshal(text, &all)
		}
	}
	if err != nil {
		return Settings{}, fmt.Errorf("read the application settings: %w", err)
	}
	return all, nil
}

// Set stores one application setting for the operator, without checking it. The value can be
// anything that encodes as JSON.
func Set(ctx context.Context, s *db.Store, key string, val any) error {
	text, err := json.Marshal(val)
	if err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	if err := s.Exec(ctx, `
		update application_settings
		set (settings, updated_at) = row(settings || jsonb_build_object(@key::text, @value::jsonb), now())
		where id = 1`,
		pgx.NamedArgs{"key": key, "value": text}); err != nil {
		return err
	}
	return SettingsChanged(ctx, s)
}

// SettingsChanged makes all processes read the settings again. It counts as a change of every user,
// since cached callers depend on settings.
func SettingsChanged(ctx context.Context, s *db.Store) error { return s.UserChanged(ctx, 0) }
