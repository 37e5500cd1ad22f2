package api

import "hew/server/policy"

// What callers may do here, and who may.
var (
	adminMirror = policy.Ability{Name: "admin_mirror", Min: policy.Maintainer, Unsigned: true}
)

var abilities = []policy.Ability{
	adminMirror,
}
