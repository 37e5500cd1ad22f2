package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	readGroupLabel = policy.Ability{
		Name: "read_group_label", Min: policy.Guest, Public: true, Also: policy.IsMemberInside,
	}
	readGroupMilestone = policy.Ability{
		Name: "read_group_milestone", Min: policy.Guest, Public: true, Also: policy.IsMemberInside,
	}
	adminGroupLabel     = policy.Ability{Name: "admin_group_label", Min: policy.Planner, Writes: true}
	adminGroupMilestone = policy.Ability{Name: "admin_group_milestone", Min: policy.Planner, Writes: true}
	adminLabel          = policy.Ability{Name: "admin_label", Min: policy.Planner, Writes: true}
	adminMilestone      = policy.Ability{Name: "admin_milestone", Min: policy.Planner, Writes: true}
)

var abilities = []policy.Ability{
	readGroupLabel, readGroupMilestone, adminGroupLabel, adminGroupMilestone, adminLabel, adminMilestone,
}
