package config

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/schema"
)

// An evaluation that needs too much memory ends with an error at what is being evaluated. The limit
// is below what the test itself takes.
func TestMemory(t *testing.T) {
	t.Parallel()
	const src = "locals {\n\n  n = length([for a in range(1024) : length([for b in range(1024) : " +
		"length(range(16))])])\n}\n"
	cfg, diags := Load(t.Context(), fstest.MapFS{"main.hcl": {Data: []byte(src)}}, ".", schema.Catalog{}, Vars{})
	require.False(t, diags.HasErrors(), "%s", diags)
	cfg.memory.limit = 1
	_, diags = cfg.NewEval().Run(t.Context(), nil)
	require.Len(t, diags, 1)
	require.Equal(t, "Evaluation needs too much memory", diags[0].Summary)
	require.Equal(t, 3, diags[0].Subject.Start.Line)
}
