package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	readTerraformState  = policy.Ability{Name: "read_terraform_state", Min: policy.Developer}
	adminTerraformState = policy.Ability{Name: "admin_terraform_state", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	readTerraformState, adminTerraformState,
}
