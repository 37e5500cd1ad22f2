package integration

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"integrations_namespace_id_key": db.Invalid("slug", db.Taken),
	"integrations_project_id_key":   db.Invalid("slug", db.Taken),

	"integration_deliveries_integration_id_fkey": db.Invalid("integration", db.Missing),
	"integration_deliveries_state_check":         db.Invalid("state", "is invalid"),
	"integration_deliveries_key_key":             db.Invalid("key", db.Taken),

	"alert_integrations_project_id_key": db.Invalid("endpoint", db.Taken),
	"alert_integrations_name_check":     db.Invalid("name", "is too long (maximum is 255 characters)"),
	"alert_integrations_type_check":     db.Invalid("type", "is not included in the list"),
	"alert_integrations_api_url_check":  db.Invalid("api_url", db.CannotBeBlank),
	"alerts_iid_key":                    db.Invalid("iid", db.Taken),
	"alerts_fingerprint_key":            db.Invalid("fingerprint", db.Taken),
	"alerts_status_check":               db.Invalid("status", "is not included in the list"),
	"alerts_severity_check":             db.Invalid("severity", "is not included in the list"),

	"incident_settings_project_id_key":   db.Invalid("project", db.Taken),
	"alerts_issue_id_fkey":               db.Invalid("issue", db.Missing),
	"alert_metric_images_alert_id_fkey":  db.Invalid("alert", db.Missing),
	"alert_metric_images_blob_id_fkey":   db.Invalid("file", db.Missing),
	"alert_metric_images_url_check":      db.Invalid("url", "is too long (maximum is 255 characters)"),
	"alert_metric_images_url_text_check": db.Invalid("url_text", "is too long (maximum is 128 characters)"),
}
