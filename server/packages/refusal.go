package packages

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"packages_project_id_fkey": db.Invalid("project", db.Missing),
	"packages_creator_id_fkey": db.Invalid("creator", db.Missing),
	"packages_project_id_type_name_key_version_key_key": db.Conflict(
		"A package with the same name and version already exists"),
	"packages_type_check":    db.Invalid("package_type", "is not included in the list"),
	"packages_name_check":    db.Invalid("name", "is too long (maximum is 255 characters)"),
	"packages_version_check": db.Invalid("version", "is too long (maximum is 255 characters)"),
	"packages_status_check":  db.Invalid("status", "is not included in the list"),

	"package_names_pkey":            db.Invalid("name", db.Taken),
	"package_names_project_id_fkey": db.Invalid("project", db.Missing),

	"package_files_package_id_fkey":  db.Invalid("package", db.Missing),
	"package_files_project_id_fkey":  db.Invalid("project", db.Missing),
	"package_files_blob_id_fkey":     db.Invalid("file", db.Missing),
	"package_files_pipeline_id_fkey": db.Invalid("pipeline", db.Missing),
	"package_files_name_check":       db.Invalid("file_name", "is too long (maximum is 520 characters)"),

	"nuget_metadata_pkey":            db.Invalid("package", db.Taken),
	"nuget_metadata_package_id_fkey": db.Invalid("package", db.Missing),
	"nuget_metadata_text_check":      db.Invalid("metadata", "is too long (maximum is 4000 characters)"),
	"nuget_metadata_url_check":       db.Invalid("metadata", "has a URL that is too long (maximum is 2048 characters)"),

	"nuget_dependencies_pkey":            db.Invalid("dependencies", db.Taken),
	"nuget_dependencies_package_id_fkey": db.Invalid("package", db.Missing),
	"nuget_dependencies_text_check": db.Invalid(
		"dependencies", "must have at most 255 characters (a version range: 520)"),

	"nuget_symbols_package_file_id_fkey": db.Invalid("file", db.Missing),
	"nuget_symbols_project_id_fkey":      db.Invalid("project", db.Missing),
	"nuget_symbols_blob_id_fkey":         db.Invalid("symbols", db.Missing),
	"nuget_symbols_size_check":           db.Invalid("symbols", "have an invalid size"),
	"nuget_symbols_name_check":           db.Invalid("symbols", "have a name that is too long (maximum is 255 characters)"),

	"package_protection_rules_project_id_fkey":                  db.Invalid("project", db.Missing),
	"package_protection_rules_project_id_type_name_pattern_key": db.Invalid("package_name_pattern", db.Taken),
	"package_protection_rules_name_pattern_check": db.Invalid(
		"package_name_pattern", "is too long (maximum is 255 characters)"),
	"package_protection_rules_type_check": db.Invalid("package_type", "is not included in the list"),
	"package_protection_rules_minimum_access_level_for_push_check": db.Invalid(
		"minimum_access_level_for_push", "is not included in the list"),
	"package_protection_rules_minimum_access_level_for_delete_check": db.Invalid(
		"minimum_access_level_for_delete", "is not included in the list"),
	"package_protection_rules_level_check": db.Invalid(
		"base", "A rule must have at least a minimum access level for push or a minimum access level for delete."),

	"package_settings_namespace_id_fkey": db.Invalid("group", db.Missing),
	"package_settings_namespace_id_key":  db.Invalid("group", db.Taken),
	"package_settings_regex_check": db.Invalid(
		"duplicate_exception_regex", "is too long (maximum is 255 characters)"),
}
