package group

import "hew/server/db"

// Refusals are the answers to violated constraints of the tables of groups and of what they hold.
var Refusals = db.Refusals{
	"namespaces_owner_id_key":             db.Invalid("owner", db.Taken),
	"namespaces_owner_id_fkey":            db.Invalid("owner", db.Missing),
	"namespaces_kind_check":               db.Invalid("kind", "is invalid"),
	"namespaces_name_key":                 db.Invalid("name", db.Taken),
	"namespaces_parent_id_fkey":           db.Invalid("parent_id", db.Missing),
	"namespaces_creator_id_fkey":          db.Invalid("creator", db.Missing),
	"namespaces_deleting_user_id_fkey":    db.Invalid("deleting_user", db.Missing),
	"namespaces_visibility_check":         db.Invalid("visibility_level", "is not included in the list"),
	"namespaces_name_check":               db.Invalid("name", "is too long (maximum is 255 characters)"),
	"namespaces_path_check":               db.Invalid("path", "is too long (maximum is 255 characters)"),
	"namespaces_description_check":        db.Invalid("description", "is too long (maximum is 500 characters)"),
	"namespaces_runners_token_digest_key": db.Invalid("runners_token", db.Taken),

	"ldap_group_links_cn_key":             db.Invalid("cn", db.Taken),
	"ldap_group_links_filter_key":         db.Invalid("filter", db.Taken),
	"ldap_group_links_cn_check":           db.Invalid("cn", db.CannotBeBlank),
	"ldap_group_links_group_access_check": db.Invalid("group_access", "is not included in the list"),

	"saml_group_links_name_key":           db.Invalid("saml_group_name", db.Taken),
	"saml_group_links_name_check":         db.Invalid("saml_group_name", "is too long (maximum is 255 characters)"),
	"saml_group_links_access_level_check": db.Invalid("access_level", "is not included in the list"),

	"routes_namespace_id_key":  db.Invalid("path", db.Taken),
	"routes_project_id_key":    db.Invalid("path", db.Taken),
	"routes_namespace_id_fkey": db.Invalid("namespace", db.Missing),
	"routes_project_id_fkey":   db.Invalid("project", db.Missing),
	"routes_key_check":         db.Invalid("path", "is invalid"),
	"routes_target_check":      db.Invalid("path", "is invalid"),

	"members_namespace_id_key":       db.Conflict("Member already exists"),
	"members_project_id_key":         db.Conflict("Member already exists"),
	"members_user_id_fkey":           db.Invalid("user", db.CannotBeBlank),
	"members_namespace_id_fkey":      db.Invalid("source", db.Missing),
	"members_project_id_fkey":        db.Invalid("source", db.Missing),
	"members_created_by_id_fkey":     db.Invalid("created_by", db.Missing),
	"members_source_check":           db.Invalid("source", "is invalid"),
	"members_access_level_check":     db.Invalid("access_level", "is not included in the list"),
	"members_membership_state_check": db.Invalid("state", "is not included in the list"),

	"access_requests_namespace_id_key":  db.Invalid("user_id", "already exists in source"),
	"access_requests_project_id_key":    db.Invalid("user_id", "already exists in source"),
	"access_requests_namespace_id_fkey": db.Invalid("source", db.Missing),
	"access_requests_project_id_fkey":   db.Invalid("source", db.Missing),
	"access_requests_user_id_fkey":      db.Invalid("user", db.Missing),

	"invitations_namespace_id_key":   db.Conflict("Invite email has already been taken"),
	"invitations_project_id_key":     db.Conflict("Invite email has already been taken"),
	"invitations_namespace_id_fkey":  db.Invalid("source", db.Missing),
	"invitations_project_id_fkey":    db.Invalid("source", db.Missing),
	"invitations_created_by_id_fkey": db.Invalid("created_by", db.Missing),
	"invitations_email_check":        db.Invalid("invite_email", "is invalid"),
	"invitations_access_level_check": db.Invalid("access_level", "is not included in the list"),

	"shares_namespace_id_key":   db.Conflict("The group has already been shared with this group"),
	"shares_project_id_key":     db.Conflict("Group already shared with this group"),
	"shares_namespace_id_fkey":  db.Invalid("source", db.Missing),
	"shares_project_id_fkey":    db.Invalid("source", db.Missing),
	"shares_group_id_fkey":      db.Invalid("group", db.Missing),
	"shares_group_id_check":     db.Invalid("group_id", "cannot be the group itself"),
	"shares_group_access_check": db.Invalid("group_access", "is not included in the list"),
}
