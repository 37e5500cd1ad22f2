package analytics

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"analytics_settings_project_id_fkey":            db.Invalid("project", db.Missing),
	"analytics_settings_dashboards_project_id_fkey": db.Invalid("dashboards_project_id", db.Missing),
	"analytics_tokens_project_id_fkey":              db.Invalid("project", db.Missing),
	"analytics_tokens_token_id_fkey":                db.Invalid("token", db.Missing),
}
