package api

import "hew/server/policy"

// What callers may do here, and who may.
var (
	readTerraformState  = policy.Ability{Name: "read_terraform_state", Min: policy.Developer}
	adminTerraformState = policy.Ability{Name: "admin_terraform_state", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	readTerraformState, adminTerraformState,
}
