package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	adminGroupPushRule = policy.Ability{Name: "admin_group_push_rule", Min: policy.Owner, Hidden: true}
	adminGroupBranch   = policy.Ability{Name: "admin_group_protected_branch", Min: policy.Owner}
	adminGroupApproval = policy.Ability{Name: "admin_group_approval", Min: policy.Owner}
	adminPushRule      = policy.Ability{Name: "admin_push_rule", Min: policy.Maintainer}
	readProtectedRef   = policy.Ability{Name: "read_protected_ref", Min: policy.Developer} // levels name users
	adminProtectedRef  = policy.Ability{Name: "admin_protected_ref", Min: policy.Maintainer}
	adminDeployKey     = policy.Ability{Name: "admin_deploy_key", Min: policy.Maintainer}
	readApproval       = policy.Ability{Name: "read_approval", Min: policy.Developer}
	adminApproval      = policy.Ability{Name: "admin_approval", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	adminGroupPushRule, adminGroupBranch, adminGroupApproval, adminPushRule, readProtectedRef, adminProtectedRef,
	adminDeployKey, readApproval, adminApproval,
}
