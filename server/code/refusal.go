package code

import (
	"errors"

	"hew/server/db"
	"hew/server/fault"
)

// refuse returns the fault of a change that the API answers with 400.
func refuse(text string) error { return fault.BadRequest(text).In(fault.Text) }

// refuseTag returns the fault of a tag that cannot be created, which is 405 (spec 1 §4.5).
func refuseTag(text string) error { return fault.NotAllowed(text).In(fault.Text) }

// forbid returns the fault of a change that is answered with 403.
func forbid(text string) error { return fault.Forbidden(text) }

// asFault returns the refusal of a rule as the API answers it: 403 if the ref is protected, else
// what refuse makes of it. Other errors are returned as they are.
func asFault(err error, refuse func(string) error) error {
	var r Refused
	switch {
	case !errors.As(err, &r):
		return err
	case r.Protected:
		return forbid(r.Text)
	}
	return refuse(r.Text)
}

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"repositories_project_id_fkey":       db.Invalid("project", db.Missing),
	"repositories_namespace_id_fkey":     db.Invalid("group", db.Missing),
	"repositories_project_id_kind_key":   db.Conflict("The repository exists already"),
	"repositories_namespace_id_kind_key": db.Conflict("The repository exists already"),
	"repositories_snippet_id_fkey":       db.Invalid("snippet", db.Missing),
	"repositories_snippet_id_key":        db.Conflict("The repository exists already"),
	"repositories_kind_check":            db.Invalid("kind", "is not included in the list"),

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
