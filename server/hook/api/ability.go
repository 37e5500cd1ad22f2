package api

import "hew/server/policy"

// What callers may do here, and who may.
var (
	adminGroupHook = policy.Ability{Name: "admin_group_hook", Min: policy.Owner}
	adminHook      = policy.Ability{Name: "admin_hook", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	adminGroupHook, adminHook,
}
