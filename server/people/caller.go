package people

import (
	"slices"

	"hew/server/fault"
	"hew/server/tree"
)

// Scopes are those that a personal access token may have (gaps §1.3).
var Scopes = []string{
	"api", "read_api", "read_user", "read_repository", "write_repository", "read_registry", "write_registry", "sudo",
	"admin_mode", "create_runner", "manage_runner", "ai_features", "k8s_proxy", "read_service_ping", "self_rotate",
}

// adminScopes are those that only an administrator's token may have.
var adminScopes = []string{"sudo", "admin_mode", "read_service_ping"}

// CheckScopes says what is wrong with the scopes of a new token of a user, if anything.
func CheckScopes(scopes []string, u tree.User) error {
	for _, s := range scopes {
		if !slices.Contains(Scopes, s) || slices.Contains(adminScopes, s) && !u.Admin {
			return fault.Invalid("scopes", "can only contain available scopes")
		}
	}
	return nil
}
