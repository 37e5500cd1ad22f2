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

	"commit_comments_project_id_fkey": db.Invalid("project", db.Missing),
	"commit_comments_author_id_fkey":  db.Invalid("author", db.Missing),
	"commit_comments_note_check":      db.Invalid("note", "is too long (maximum is 1000000 characters)"),
	"commit_comments_line_type_check": db.Invalid("line_type", "is not included in the list"),

	"commits_repository_id_fkey":    db.Invalid("repository", db.Missing),
	"commits_repository_id_oid_key": db.Conflict("The commit exists already"),
}
