package scope

import (
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
