package api

import "hew/server/policy"

// exportProject is the ability to export a project. It needs no write: archives of archived
// projects can be made.
var exportProject = policy.Ability{Name: "export_project", Min: policy.Maintainer}

var abilities = []policy.Ability{exportProject}
