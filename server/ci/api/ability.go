package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	readInstanceRunner = policy.Ability{Name: "read_instance_runner", Min: policy.Admins, Also: policy.IsSigned}
	adminGroupVariable = policy.Ability{Name: "admin_group_variable", Min: policy.Owner}
	readGroupRunner    = policy.Ability{Name: "read_group_runner", Min: policy.Maintainer}
	adminGroupRunner   = policy.Ability{Name: "admin_group_runner", Min: policy.Owner}
	adminVariable      = policy.Ability{Name: "admin_variable", Min: policy.Maintainer}
	adminRunner        = policy.Ability{Name: "admin_runner", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	createForRequest,
	readInstanceRunner, adminGroupVariable, readGroupRunner, adminGroupRunner, adminVariable, adminRunner,
}
