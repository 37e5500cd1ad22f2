package api

import "hew/server/policy"

// The abilities of hooks.
var (
	adminGroupHook = policy.Ability{Name: "admin_group_hook", Min: policy.Owner}
	adminHook      = policy.Ability{Name: "admin_hook", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	adminGroupHook, adminHook,
}
