package wiki

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"wiki_pages_namespace_id_fkey": db.Invalid("group", db.Missing),
	"wiki_pages_project_id_fkey":   db.Invalid("project", db.Missing),
	"wiki_pages_namespace_id_key":  db.Conflict("The page exists already"),
	"wiki_pages_project_id_key":    db.Conflict("The page exists already"),
	"wiki_pages_slug_check":        db.Invalid("title", "is too long (maximum is 2000 bytes with its directories)"),
}
