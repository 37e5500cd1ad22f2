package release

import "hew/server/db"

const exists = "Release already exists"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"releases_project_id_fkey":    db.Invalid("project", db.Missing),
	"releases_author_id_fkey":     db.Invalid("author", db.Missing),
	"releases_project_id_tag_key": db.Conflict(exists),
	"releases_name_check":         db.Invalid("name", "is too long (maximum is 255 characters)"),
	"releases_description_check":  db.Invalid("description", "is too long (maximum is 1000000 characters)"),

	"release_links_release_id_fkey":         db.Invalid("release", db.Missing),
	"release_links_release_id_name_key":     db.Invalid("name", db.Taken),
	"release_links_release_id_url_key":      db.Invalid("url", db.Taken),
	"release_links_release_id_filepath_key": db.Invalid("filepath", db.Taken),
	"release_links_name_check":              db.Invalid("name", "is too long (maximum is 255 characters)"),
	"release_links_url_check":               db.Invalid("url", "is too long (maximum is 2048 characters)"),
	"release_links_filepath_check":          db.Invalid("filepath", "is too long (maximum is 128 characters)"),
	"release_links_link_type_check":         db.Invalid("link_type", "is not included in the list"),

	"release_milestones_pkey":              db.Invalid("milestone", db.Taken),
	"release_milestones_release_id_fkey":   db.Invalid("release", db.Missing),
	"release_milestones_milestone_id_fkey": db.Invalid("milestone", db.Missing),
}
