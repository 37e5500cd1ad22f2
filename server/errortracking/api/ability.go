package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them. Those of errors are those that the
// public service has for errors on its pages.
var (
	adminErrorTracking = policy.Ability{Name: "admin_error_tracking", Min: policy.Maintainer}
	readError          = policy.Ability{Name: "read_error", Min: policy.Reporter}
	updateError        = policy.Ability{Name: "update_error", Min: policy.Developer, Writes: true}
)

var abilities = []policy.Ability{adminErrorTracking, readError, updateError}
