package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	adminMirror     = policy.Ability{Name: "admin_mirror", Min: policy.Maintainer, Unsigned: true}
	adminPullMirror = policy.Ability{Name: "admin_pull_mirror", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	adminMirror,
	adminPullMirror,
}
