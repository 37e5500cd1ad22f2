package code

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"repositories_project_id_fkey":     db.Invalid("project", db.Missing),
	"repositories_project_id_kind_key": db.Conflict("The repository exists already"),
	"repositories_kind_check":          db.Invalid("kind", "is not included in the list"),

	"refs_repository_id_fkey": db.Invalid("repository", db.Missing),
	"refs_name_check":         db.Invalid("ref", "is not a valid name of a ref"),
	"refs_oid_check":          db.Invalid("ref", "is not a valid object id"),

	"packs_pack_fkey":                     db.Invalid("pack", db.Missing),
	"packs_index_fkey":                    db.Invalid("index", db.Missing),
	"repository_packs_repository_id_fkey": db.Invalid("repository", db.Missing),
	"repository_packs_pack_id_fkey":       db.Invalid("pack", db.Missing),

	"lfs_objects_project_id_fkey": db.Invalid("project", db.Missing),
	"lfs_objects_blob_id_fkey":    db.Invalid("object", db.Missing),
	"lfs_locks_project_id_fkey":   db.Invalid("project", db.Missing),
	"lfs_locks_user_id_fkey":      db.Invalid("user", db.Missing),
	"lfs_locks_path":              db.Conflict("already locked"),
	"lfs_locks_path_check":        db.Invalid("path", "is too long (maximum is 511 bytes)"),

	"commits_repository_id_fkey":    db.Invalid("repository", db.Missing),
	"commits_repository_id_oid_key": db.Conflict("The commit exists already"),
}
