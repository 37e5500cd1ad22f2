package hook

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"hooks_url_check": db.Invalid("url", "is too long (maximum is 2048 characters)"),
	"hooks_custom_webhook_template_check": db.Invalid(
		"custom_webhook_template", "is too long (maximum is 4096 characters)",
	),
	"hooks_branch_filter_strategy_check": db.Invalid("branch_filter_strategy", "is not included in the list"),

	"hook_logs_hook_id_fkey": db.Invalid("hook", db.Missing),
	"hook_logs_asked_check":  db.Invalid("asked", "is invalid"),
}
