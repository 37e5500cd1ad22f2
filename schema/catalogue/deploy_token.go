package catalogue

import (
	"slices"

	"hew/schema/pattern"
)

// DeployScopes are the scopes that a deploy token may have, in the order in which they are shown.
var DeployScopes = []string{
	"read_repository", "read_registry", "write_registry", "read_package_registry", "write_package_registry",
	"read_virtual_registry", "write_virtual_registry",
}

// SortDeployScopes returns the scopes in the order of DeployScopes, each once.
func SortDeployScopes(scopes []string) (sorted []string) {
	for _, s := range DeployScopes {
		if slices.Contains(scopes, s) {
			sorted = append(sorted, s)
		}
	}
	return sorted
}

var deployUsername = pattern.Lazy(`^[a-zA-Z0-9.+_-]+$`)

// DeployUsernameRule is what IsDeployUsername requires, as it follows the name of the argument.
const DeployUsernameRule = "can contain only letters, digits, '_', '-', '+', and '.'"

// IsDeployUsername reports whether clients can send a text as the username of a deploy token.
func IsDeployUsername(s string) bool { return deployUsername().MatchString(s) }
