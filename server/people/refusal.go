package people

import (
	"hew/server/db"
	"hew/server/tree"
)

// Refusals are the answers to violated constraints of the tables of users and tokens.
var Refusals = db.Refusals{
	"users_username_key":       db.Conflict(tree.UsernameTaken),
	"users_email_key":          db.Conflict("Email has already been taken"),
	"users_state_check":        db.Invalid("state", "is invalid"),
	"users_bio_check":          db.Invalid("bio", "is too long (maximum is 255 characters)"),
	"users_name_check":         db.Invalid("name", "is too long (maximum is 255 characters)"),
	"users_username_check":     db.Invalid("username", "is too long (maximum is 255 characters)"),
	"users_created_by_id_fkey": db.Invalid("created_by", db.Missing),

	"ssh_keys_user_id_fkey":           db.Invalid("user", db.Missing),
	"ssh_keys_fingerprint_sha256_key": db.Invalid("fingerprint_sha256", db.Taken),
	"ssh_keys_title_check":            db.Invalid("title", "is too long (maximum is 255 characters)"),
	"ssh_keys_usage_type_check":       db.Invalid("usage_type", "is not included in the list"),
	"gpg_keys_user_id_fkey":           db.Invalid("user", db.Missing),
	"gpg_keys_fingerprint_key":        db.Invalid("fingerprint", db.Taken),

	"personal_access_tokens_user_id_fkey":       db.Invalid("user", db.Missing),
	"personal_access_tokens_digest_key":         db.Invalid("token", db.Taken),
	"personal_access_tokens_digest_check":       db.Invalid("token", "is invalid"),
	"personal_access_tokens_name_check":         db.Invalid("name", "is too long (maximum is 255 characters)"),
	"personal_access_tokens_scopes_check":       db.Invalid("scopes", db.CannotBeBlank),
	"personal_access_tokens_access_level_check": db.Invalid("access_level", "is not included in the list"),

	"deploy_tokens_digest_key":     db.Invalid("token", db.Taken),
	"deploy_tokens_digest_check":   db.Invalid("token", "is invalid"),
	"deploy_tokens_name_check":     db.Invalid("name", "is too long (maximum is 255 characters)"),
	"deploy_tokens_username_check": db.Invalid("username", "is invalid"),
	"deploy_tokens_scopes_check":   db.Invalid("scopes", db.CannotBeBlank),

	"internal_users_kind_check":   db.Invalid("kind", "is not included in the list"),
	"internal_users_user_id_fkey": db.Invalid("user", db.Missing),
	"internal_users_user_id_key":  db.Invalid("user", db.Taken),
}
