package api

import "hew/server/policy"

// What imports and exports need. An export needs no write: archives of archived projects can be
// made. An import brings members and protections to a group, and an overwrite removes a project.
var (
	exportProject    = policy.Ability{Name: "export_project", Min: policy.Maintainer}
	importProject    = policy.Ability{Name: "import_project", Min: policy.Maintainer, Writes: true}
	overwriteProject = policy.Ability{Name: "overwrite_project", Min: policy.Owner, Writes: true}
)

var abilities = []policy.Ability{exportProject, importProject, overwriteProject}
