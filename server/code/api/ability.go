package api

import "hew/server/policy"

var (
	createCommitComment = policy.Ability{
		Name: "create_commit_comment", Min: policy.Reporter, Public: true, Feature: policy.Repository, Writes: true,
	}
	adminCommitComment = policy.Ability{
		Name: "admin_commit_comment", Min: policy.Maintainer, Feature: policy.Repository, Writes: true,
	}
	housekeepProject = policy.Ability{Name: "housekeep_project", Min: policy.Maintainer}
)

var abilities = []policy.Ability{createCommitComment, adminCommitComment, housekeepProject}
