package api

import "hew/server/policy"

// What an import needs in a group: it brings members and protections, and an overwrite removes a
// project.
var (
	importProject    = policy.Ability{Name: "import_project", Min: policy.Maintainer, Writes: true}
	overwriteProject = policy.Ability{Name: "overwrite_project", Min: policy.Owner, Writes: true}
)

var abilities = []policy.Ability{importProject, overwriteProject}
