package api

import "hew/server/policy"

// adminRelease is what writes releases. A protected tag asks for more: see release.MayTag.
var adminRelease = policy.Ability{
	Name: "admin_release", Min: policy.Developer, Feature: policy.Releases, Writes: true,
}

var abilities = []policy.Ability{adminRelease}
