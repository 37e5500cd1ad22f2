package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/people/api"
)

// A request accepts exactly the scopes of the catalogue, which hew offers.
func TestDeployScopes(t *testing.T) {
	t.Parallel()
	require.Equal(t, catalogue.DeployScopes, api.DeployScopes())
	require.Equal(t, []string{"read_repository", "write_registry"},
		catalogue.SortDeployScopes([]string{"write_registry", "x", "read_repository", "write_registry"}))
	for name, want := range map[string]bool{"": false, "a.b+c_d-9": true, "a b": false, "ü": false, "a\n": false} {
		require.Equal(t, want, catalogue.IsDeployUsername(name), "%q", name)
	}
}
