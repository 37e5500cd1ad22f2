package api

import "hew/server/policy"

// Who may do what with uploads (more-2 §8.3). Everybody who may comment may upload a file.
var (
	readUpload    = policy.Ability{Name: "read_upload", Min: policy.Guest, Public: true}
	createUpload  = policy.Ability{Name: "create_upload", Min: policy.Guest, Public: true, Writes: true}
	adminUpload   = policy.Ability{Name: "admin_upload", Min: policy.Maintainer}
	destroyUpload = policy.Ability{Name: "destroy_upload", Min: policy.Maintainer, Writes: true}

	readGroupUpload = policy.Ability{
		Name: "read_group_upload", Min: policy.Guest, Public: true, Also: policy.IsInside,
	}
	createGroupUpload  = policy.Ability{Name: "create_group_upload", Min: policy.Guest, Writes: true}
	adminGroupUpload   = policy.Ability{Name: "admin_group_upload", Min: policy.Maintainer}
	destroyGroupUpload = policy.Ability{Name: "destroy_group_upload", Min: policy.Maintainer, Writes: true}
)

var abilities = []policy.Ability{
	readUpload, createUpload, adminUpload, destroyUpload,
	readGroupUpload, createGroupUpload, adminGroupUpload, destroyGroupUpload,
}
