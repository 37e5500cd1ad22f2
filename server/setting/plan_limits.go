package setting

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// PlanLimits are the limits of one plan; 0 means no limit.
type PlanLimits struct {
	Plan   string `db:"plan"`
	Limits Limits `db:"limits"`
}

// Limits are limits by their names in the API.
type Limits struct {
	CIInstanceLevelVariables   int64 `json:"ci_instance_level_variables"`
	CIPipelineSize             int64 `json:"ci_pipeline_size"`
	CIActiveJobs               int64 `json:"ci_active_jobs"`
	CIProjectSubscriptions     int64 `json:"ci_project_subscriptions"`
	CIPipelineSchedules        int64 `json:"ci_pipeline_schedules"`
	CINeedsSizeLimit           int64 `json:"ci_needs_size_limit"`
	CIRegisteredGroupRunners   int64 `json:"ci_registered_group_runners"`
	CIRegisteredProjectRunners int64 `json:"ci_registered_project_runners"`
	DotenvSize                 int64 `json:"dotenv_size"`
	DotenvVariables            int64 `json:"dotenv_variables"`
	ConanMaxFileSize           int64 `json:"conan_max_file_size"`
	GenericMaxFileSize         int64 `json:"generic_packages_max_file_size"`
	HelmMaxFileSize            int64 `json:"helm_max_file_size"`
	MavenMaxFileSize           int64 `json:"maven_max_file_size"`
	NpmMaxFileSize             int64 `json:"npm_max_file_size"`
	NugetMaxFileSize           int64 `json:"nuget_max_file_size"`
	PypiMaxFileSize            int64 `json:"pypi_max_file_size"`
	TerraformModuleMaxSize     int64 `json:"terraform_module_max_file_size"`
	StorageSizeLimit           int64 `json:"storage_size_limit"`
	PipelineHierarchySize      int64 `json:"pipeline_hierarchy_size"`
	EnforcementLimit           int64 `json:"enforcement_limit"`
	NotificationLimit          int64 `json:"notification_limit"`
	WebHookCalls               int64 `json:"web_hook_calls"`
}

// NewLimits returns the default limits (gaps §13.3).
func NewLimits() Limits {
	return Limits{
		CIInstanceLevelVariables: 25, CIProjectSubscriptions: 2, CIPipelineSchedules: 10, CINeedsSizeLimit: 50,
		CIRegisteredGroupRunners: 1000, CIRegisteredProjectRunners: 1000, DotenvSize: 5120, DotenvVariables: 20,
		ConanMaxFileSize: 3 << 30, GenericMaxFileSize: 5 << 30, HelmMaxFileSize: 5 << 20, MavenMaxFileSize: 3 << 30,
		NpmMaxFileSize: 500 << 20, NugetMaxFileSize: 500 << 20, PypiMaxFileSize: 3 << 30,
		TerraformModuleMaxSize: 1 << 30,
		PipelineHierarchySize:  1000,
	}
}

// UnmarshalJSON reads stored limits over the defaults.
func (l *Limits) UnmarshalJSON(text []byte) error {
	type plain Limits
	v := plain(NewLimits())
	err := json.Unmarshal(text, &v)
	*l = Limits(v)
	return err
}

// ReadPlanLimits returns the limits of a plan, stored or default.
func ReadPlanLimits(ctx context.Context, s *db.Store, plan string) (PlanLimits, error) {
	return db.One[PlanLimits](ctx, s, "Plan", `
		select @plan as plan, coalesce((select limits from plan_limits where plan = @plan), '{}') as limits`,
		pgx.NamedArgs{"plan": plan})
}

// HoldPlanLimits returns the limits of a plan and locks them until the transaction ends.
func HoldPlanLimits(ctx context.Context, s *db.Store, plan string) (PlanLimits, error) {
	args := pgx.NamedArgs{"plan": plan}
	if err := s.Exec(ctx, `insert into plan_limits (plan) values (@plan) on conflict do nothing`, args); err != nil {
		return PlanLimits{}, err
	}
	return db.One[PlanLimits](ctx, s, "Plan", `select plan, limits from plan_limits
		where plan = @plan for no key update`, args)
}

// UpdatePlanLimits stores the limits of a plan, which HoldPlanLimits has locked. Some are stored as
// settings.
func UpdatePlanLimits(ctx context.Context, s *db.Store, l PlanLimits) error {
	err := s.Exec(ctx, `update plan_limits set (limits, updated_at) = row(@limits, now()) where plan = @plan`,
		pgx.NamedArgs{"plan": l.Plan, "limits": l.Limits})
	if err != nil {
		return err
	}
	return SettingsChanged(ctx, s)
}
