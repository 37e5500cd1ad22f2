package tree

import (
	"slices"

	"hew/server/policy"
)

// Who returns the user with the level in the project, which was found for that user.
func (p FoundProject) Who(u User) policy.Who {
	return policy.Who{ID: u.ID, Level: policy.Level(p.Level), Admin: u.Admin, External: u.External}
}

// On returns what abilities on the project depend on.
func (p FoundProject) On() policy.On {
	return policy.On{
		Visibility: policy.Visibility(p.Visibility), Archived: p.Archived, Pending: p.Pending,
		JobsReserved: !p.Settings.PublicJobs,
		Features: map[policy.Feature]policy.Access{
			policy.Issues:        policy.Access(p.Settings.IssuesAccess),
			policy.MergeRequests: policy.Access(p.Settings.MergeRequestsAccess),
			policy.Repository:    policy.Access(p.Settings.RepositoryAccess),
			policy.Releases:      policy.Access(p.Settings.ReleasesAccess),
			policy.Wiki:          policy.Access(p.Settings.WikiAccess),
			policy.Forking:       policy.Access(p.Settings.ForkingAccess),
			policy.Builds:        policy.Access(p.Settings.BuildsAccess),
			policy.Pipelines:     pipelineAccess(p.Settings),
			policy.Packages:      packageAccess(p.Settings),
			policy.Snippets:      policy.Access(p.Settings.SnippetsAccess),
			policy.Analytics:     policy.Access(p.Settings.AnalyticsAccess),
		},
	}
}

// pipelineAccess says who may look at the pipelines of a project: nobody sees more of them than of
// its repository.
func pipelineAccess(s ProjectSettings) policy.Access {
	of := []policy.Access{policy.Access(s.BuildsAccess), policy.Access(s.RepositoryAccess)}
	switch {
	case slices.Contains(of, policy.Disabled):
		return policy.Disabled
	case slices.Contains(of, policy.MembersOnly), !s.PublicJobs:
		return policy.MembersOnly
	}
	return policy.Enabled
}

// packageAccess says who may read the packages of a project, apart from those who read them because
// anybody may.
func packageAccess(s ProjectSettings) policy.Access {
	access := policy.Access(s.PackageRegistryAccess)
	switch {
	case !s.PackagesEnabled:
		return policy.Disabled
	case access == PublicPackages:
		return policy.Enabled
	}
	return access
}

// PublicPackages is the package_registry_access_level of a project whose packages anybody may read,
// if the instance allows that, also those who do not see the project.
const PublicPackages policy.Access = "public"
