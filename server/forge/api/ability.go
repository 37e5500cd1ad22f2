package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	importProjects = policy.Ability{Name: "import_projects", Min: policy.Maintainer, Writes: true}
	cancelImport   = policy.Ability{Name: "cancel_import", Min: policy.Owner}
)

var abilities = []policy.Ability{importProjects, cancelImport}
