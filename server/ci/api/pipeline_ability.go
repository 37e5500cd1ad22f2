package api

import "hew/server/policy"

// The abilities on pipelines and jobs, beside policy.ReadPipeline. Whether the caller may change
// the ref of the pipeline is asked besides.
var (
	// retry and rename pipelines, retry and play jobs
	updatePipeline = policy.Ability{
		Name: "update_pipeline", Min: policy.Developer, Feature: policy.Builds, Writes: true,
	}
	cancelPipeline = policy.Ability{
		Name: "cancel_pipeline", Min: policy.Developer, Feature: policy.Builds, Writes: true,
	}
	// read the variables of others, cancel where that is reserved, erase jobs of others
	adminPipeline = policy.Ability{
		Name: "admin_pipeline", Min: policy.Maintainer, Feature: policy.Builds,
	}
	deletePipeline = policy.Ability{
		Name: "destroy_pipeline", Min: policy.Owner, Feature: policy.Builds, Writes: true,
	}
	deleteArtifacts = policy.Ability{
		Name: "destroy_artifacts", Min: policy.Maintainer, Feature: policy.Builds, Writes: true,
	}
	// read artifacts that jobs do not publish
	readPrivateArtifacts = policy.Ability{
		Name: "read_private_artifacts", Min: policy.Developer, Feature: policy.Builds,
	}
	readStatus = policy.Ability{
		Name: "read_commit_status", Min: policy.Reporter, Public: true, Feature: policy.Pipelines,
	}
	createStatus = policy.Ability{
		Name: "create_commit_status", Min: policy.Developer, Feature: policy.Builds, Writes: true,
	}
)

var pipelineAbilities = []policy.Ability{
	updatePipeline, cancelPipeline, adminPipeline, deletePipeline, deleteArtifacts, readPrivateArtifacts, readStatus,
	createStatus,
}
