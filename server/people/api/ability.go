package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	adminGroupDeployToken = policy.Ability{Name: "admin_group_deploy_token", Min: policy.Owner}
	adminDeployToken      = policy.Ability{Name: "admin_deploy_token", Min: policy.Maintainer}
)

var abilities = []policy.Ability{adminGroupDeployToken, adminDeployToken}
