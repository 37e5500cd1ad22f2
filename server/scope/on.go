package scope

import (
	"slices"

	"hew/server/auth"
	"hew/server/policy"
	"hew/server/tree"
)

// Who returns a caller with a level, 0 for none.
func Who(c auth.Caller, level int) policy.Who {
	return policy.Who{
		ID: c.ID(), Level: policy.Level(level), Admin: c.Admin(), External: c.User.External,
		CreateGroup: c.User.CanCreateGroup,
	}
}

func onGroup(g tree.FoundGroup) policy.On {
	return policy.On{
		Visibility: policy.Visibility(g.Visibility), Pending: g.Pending,
		ProjectCreation: g.Settings.ProjectCreationLevel, SubgroupCreation: g.Settings.SubgroupCreationLevel,
		Features: map[policy.Feature]policy.Access{policy.Wiki: policy.Access(g.Settings.WikiAccessLevel)},
	}
}

// OnProject returns what abilities on a project depend on.
func OnProject(p tree.FoundProject) policy.On {
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
		},
	}
}

// pipelineAccess says who may look at the pipelines of a project: nobody sees more of them than of
// its repository.
func pipelineAccess(s tree.ProjectSettings) policy.Access {
	of := []policy.Access{policy.Access(s.BuildsAccess), policy.Access(s.RepositoryAccess)}
	switch {
	case slices.Contains(of, policy.Disabled):
		return policy.Disabled
	case slices.Contains(of, policy.MembersOnly), !s.PublicJobs:
		return policy.MembersOnly
	}
	return policy.Enabled
}
