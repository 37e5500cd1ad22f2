package definition_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOptions compares what is stored of jobs that use every keyword.
func TestOptions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/options.yml")
	require.NoError(t, err)
	p, err := mustCheck(t, string(text)).Select(t.Context(), contextOf(t, ""))
	require.NoError(t, err)
	got := map[string]any{}
	for _, j := range p.Jobs {
		got[j.Name] = map[string]any{
			"options": j.Options, "needs": j.Needs, "tags": j.Tags, "environment": j.Environment,
			"interruptible": j.Interruptible, "resource_group": j.ResourceGroup, "allow_exit_codes": j.AllowExitCodes,
			"kind": j.Kind, "start_in": j.StartIn,
		}
	}
	encoded, err := json.MarshalIndent(got, "", "  ")
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/options.json")
	if *update {
		require.NoError(t, os.WriteFile("testdata/options.json", append(encoded, '\n'), 0o644))
		return
	}
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(encoded))
}
