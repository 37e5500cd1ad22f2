package snippet

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"snippets_user_id_fkey":        db.Invalid("user", db.Missing),
	"snippets_project_id_fkey":     db.Invalid("project", db.Missing),
	"snippets_author_id_fkey":      db.Invalid("author", db.Missing),
	"snippets_user_id_source_key":  db.Conflict("The snippet was imported already"),
	"snippets_title_check":         db.Invalid("title", "is too long (maximum is 255 characters)"),
	"snippets_description_check":   db.Invalid("description", "is too long (maximum is 1048576 characters)"),
	"snippets_imported_from_check": db.Invalid("imported_from", "is not included in the list"),
	"snippets_visibility_check":    db.Invalid("visibility", "is not included in the list"),
}
