package api

import (
	"context"

	"hew/server/instance"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
)

// planLimits are the routes of the limits of plans (gaps §13.3) and of the statistics.
type planLimits struct{}

func (a planLimits) routes() []rest.Route {
	admin := scope.ForAdmin()
	return []rest.Route{
		rest.Get("/application/plan_limits", admin, a.show),
		rest.Put("/application/plan_limits", admin, a.update),
		rest.Get("/application/statistics", admin, a.statistics),
	}
}

type planShow struct {
	Plan string `param:"plan_name" default:"default" oneof:"default free bronze silver premium premium_trial gold ultimate ultimate_trial opensource"`
}

func limitsOf(l setting.PlanLimits) setting.Limits { return l.Limits }

func (planLimits) show(ctx context.Context, s scope.Admin, in planShow) (setting.Limits, error) {
	return rest.Show(limitsOf)(setting.ReadPlanLimits(ctx, s.Store, in.Plan))
}

type planChange struct {
	Plan string `param:"plan_name,required" oneof:"default free bronze silver premium premium_trial gold ultimate ultimate_trial opensource"`
	planFields
}

type planFields struct {
	rest.Into[setting.Limits]
	CIInstanceLevelVariables   rest.Opt[int64] `param:"ci_instance_level_variables" min:"0"`
	CIPipelineSize             rest.Opt[int64] `param:"ci_pipeline_size" min:"0"`
	CIActiveJobs               rest.Opt[int64] `param:"ci_active_jobs" min:"0"`
	CIProjectSubscriptions     rest.Opt[int64] `param:"ci_project_subscriptions" min:"0"`
	CIPipelineSchedules        rest.Opt[int64] `param:"ci_pipeline_schedules" min:"0"`
	CINeedsSizeLimit           rest.Opt[int64] `param:"ci_needs_size_limit" min:"0"`
	CIRegisteredGroupRunners   rest.Opt[int64] `param:"ci_registered_group_runners" min:"0"`
	CIRegisteredProjectRunners rest.Opt[int64] `param:"ci_registered_project_runners" min:"0"`
	DotenvSize                 rest.Opt[int64] `param:"dotenv_size" min:"0"`
	DotenvVariables            rest.Opt[int64] `param:"dotenv_variables" min:"0"`
	ConanMaxFileSize           rest.Opt[int64] `param:"conan_max_file_size" min:"0"`
	GenericMaxFileSize         rest.Opt[int64] `param:"generic_packages_max_file_size" min:"0"`
	HelmMaxFileSize            rest.Opt[int64] `param:"helm_max_file_size" min:"0"`
	MavenMaxFileSize           rest.Opt[int64] `param:"maven_max_file_size" min:"0"`
	NpmMaxFileSize             rest.Opt[int64] `param:"npm_max_file_size" min:"0"`
	NugetMaxFileSize           rest.Opt[int64] `param:"nuget_max_file_size" min:"0"`
	PypiMaxFileSize            rest.Opt[int64] `param:"pypi_max_file_size" min:"0"`
	TerraformModuleMaxSize     rest.Opt[int64] `param:"terraform_module_max_file_size" min:"0"`
	StorageSizeLimit           rest.Opt[int64] `param:"storage_size_limit" min:"0"`
	PipelineHierarchySize      rest.Opt[int64] `param:"pipeline_hierarchy_size" min:"0"`
	EnforcementLimit           rest.Opt[int64] `param:"enforcement_limit" min:"0"`
	NotificationLimit          rest.Opt[int64] `param:"notification_limit" min:"0"`
	WebHookCalls               rest.Opt[int64] `param:"web_hook_calls" min:"0"`
}

func (planLimits) update(ctx context.Context, s scope.Admin, in planChange) (setting.Limits, error) {
	change := func(l *setting.Limits) { rest.Merge(l, in.planFields, setting.NewLimits()) }
	return rest.Show(limitsOf)(instance.ChangePlanLimits(ctx, s.Store, in.Plan, change))
}

func (planLimits) statistics(ctx context.Context, s scope.Admin, _ rest.None) (instance.Statistics, error) {
	return instance.ReadStatistics(ctx, s.Store)
}
