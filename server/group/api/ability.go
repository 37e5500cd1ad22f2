package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	createGroup        = policy.Ability{Name: "create_group", Min: policy.Admins, Also: policy.MayCreateGroups}
	readGroupMember    = policy.Ability{Name: "read_group_member", Min: policy.Guest, Public: true}
	createSubgroup     = policy.Ability{Name: "create_subgroup", Setting: policy.SubgroupCreation, Writes: true}
	adminGroup         = policy.Ability{Name: "admin_group", Min: policy.Owner}
	adminGroupMember   = policy.Ability{Name: "admin_group_member", Min: policy.Owner}
	shareGroup         = policy.Ability{Name: "share_group", Min: policy.Owner, Hidden: true}
	adminGroupToken    = policy.Ability{Name: "admin_group_token", Min: policy.Owner}
	transferGroup      = policy.Ability{Name: "transfer_group", Min: policy.Owner}
	deleteGroup        = policy.Ability{Name: "delete_group", Min: policy.Owner}
	restoreGroup       = policy.Ability{Name: "restore_group", Min: policy.Owner}
	adminGroupLDAP     = policy.Ability{Name: "admin_group_ldap", Min: policy.Owner}
	adminGroupSAML     = policy.Ability{Name: "admin_group_saml", Min: policy.Owner, Unsigned: true}
	readProjectMember  = policy.Ability{Name: "read_project_member", Min: policy.Guest, Public: true}
	adminProjectMember = policy.Ability{Name: "admin_project_member", Min: policy.Maintainer}
	requestGroup       = policy.Ability{Name: "request_group_access", Min: policy.Guest, Public: true, Writes: true}
	requestProject     = policy.Ability{Name: "request_project_access", Min: policy.Guest, Public: true, Writes: true}
	adminProjectToken  = policy.Ability{Name: "admin_project_token", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	createGroup, readGroupMember, createSubgroup, adminGroup, adminGroupMember, shareGroup, adminGroupToken,
	transferGroup, deleteGroup, restoreGroup, adminGroupLDAP, adminGroupSAML,
	readProjectMember, adminProjectMember, adminProjectToken, requestGroup, requestProject,
}
