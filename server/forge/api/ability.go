package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	importFromForge = policy.Ability{Name: "import_from_forge", Min: policy.Maintainer, Writes: true}
	cancelImport    = policy.Ability{Name: "cancel_import", Min: policy.Owner}
)

var abilities = []policy.Ability{importFromForge, cancelImport}
