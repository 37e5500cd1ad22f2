package api

import (
	"context"

	"hew/server/forge"
	"hew/server/rest"
	"hew/server/store"
)

// planLimits are what the plans limit (gaps §13.3), and how much there is of what could be limited.
type planLimits struct{ *Site }

func (a planLimits) routes() []rest.Route {
	admin := a.admin()
	return []rest.Route{
		rest.Get("/application/plan_limits", admin, a.show),
		rest.Put("/application/plan_limits", admin, a.update),
		rest.Get("/application/statistics", admin, a.statistics),
	}
}

type planShow struct {
	Plan string `param:"plan_name" default:"default" oneof:"default free bronze silver premium premium_trial gold ultimate ultimate_trial opensource"`
}

func limitsOf(l store.PlanLimits) store.Limits { return l.Limits }

func (planLimits) show(ctx context.Context, s Admin, in planShow) (store.Limits, error) {
	return rest.Show(limitsOf)(s.Store.PlanLimits(ctx, in.Plan))
}

type planChange struct {
	Plan string `param:"plan_name,required" oneof:"default free bronze silver premium premium_trial gold ultimate ultimate_trial opensource"`
	planFields
}

type planFields struct {
	rest.Into[store.Limits]
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

func (planLimits) update(ctx context.Context, s Admin, in planChange) (store.Limits, error) {
	change := func(l *store.Limits) { rest.Merge(l, in.planFields, store.NewLimits()) }
	return rest.Show(limitsOf)(forge.ChangePlanLimits(ctx, s.Store, in.Plan, change))
}

func (planLimits) statistics(ctx context.Context, s Admin, _ rest.None) (store.Statistics, error) {
	return s.Store.Statistics(ctx)
}
