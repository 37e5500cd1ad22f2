package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	readInstanceRunner = policy.Ability{Name: "read_instance_runner", Min: policy.Admins, Also: policy.IsSigned}
	adminGroupVariable = policy.Ability{Name: "admin_group_variable", Min: policy.Owner}
	readGroupRunner    = policy.Ability{Name: "read_group_runner", Min: policy.Maintainer}
	adminGroupRunner   = policy.Ability{Name: "admin_group_runner", Min: policy.Owner}
	adminVariable      = policy.Ability{Name: "admin_variable", Min: policy.Maintainer}
	readSchedule       = policy.Ability{
		Name: "read_pipeline_schedule", Min: policy.Reporter, Public: true, Feature: policy.Builds,
	}
	adminTrigger = policy.Ability{
		Name: "admin_trigger", Min: policy.Maintainer, Feature: policy.Builds,
	}
	readEnvironment = policy.Ability{
		Name: "read_environment", Min: policy.Reporter, Public: true, Feature: policy.Builds,
	}
	writeEnvironment = policy.Ability{
		Name: "create_environment", Min: policy.Developer, Feature: policy.Builds, Writes: true,
	}
	readResourceGroup = policy.Ability{
		Name: "read_resource_group", Min: policy.Developer, Feature: policy.Builds,
	}
	adminTokenScope = policy.Ability{Name: "admin_job_token_scope", Min: policy.Maintainer}
	adminRunner     = policy.Ability{Name: "admin_runner", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	createForRequest,
	readInstanceRunner, adminGroupVariable, readGroupRunner, adminGroupRunner, adminVariable, adminRunner,
	readSchedule, adminTrigger, readEnvironment, writeEnvironment, readResourceGroup,
	adminTokenScope,
}
