package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them. A transfer of a project asks
// receiveProject of its new group.
var (
	// CreateProject is the right to make a project in a group, by an import too.
	CreateProject = policy.Ability{Name: "create_project", Setting: policy.ProjectCreation, Writes: true}

	receiveProject   = policy.Ability{Name: "receive_project", Min: policy.Maintainer, Writes: true}
	adminProject     = policy.Ability{Name: "admin_project", Min: policy.Maintainer}
	renameProject    = policy.Ability{Name: "rename_project", Min: policy.Owner}
	changeVisibility = policy.Ability{Name: "change_visibility", Min: policy.Owner}
	archiveProject   = policy.Ability{Name: "archive_project", Min: policy.Owner}
	transferProject  = policy.Ability{Name: "transfer_project", Min: policy.Owner}
	deleteProject    = policy.Ability{Name: "delete_project", Min: policy.Owner}
	linkFork         = policy.Ability{Name: "link_fork", Min: policy.Owner}
	restoreProject   = policy.Ability{Name: "restore_project", Min: policy.Owner}
)

var abilities = []policy.Ability{
	CreateProject, receiveProject, adminProject, renameProject, changeVisibility, archiveProject, transferProject,
	deleteProject, linkFork, restoreProject,
}
