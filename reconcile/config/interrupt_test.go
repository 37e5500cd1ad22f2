package config_test

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// slow is an expression that HCL evaluates for minutes, in little memory.
const slow = "length([for a in range(1024) : length([for b in range(1024) : length([for c in range(1024) : c])])])"

// The end of the context ends an evaluation, even within an expression.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	short := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	for name, evaluate := range map[string]func() hcl.Diagnostics{
		"Load": func() hcl.Diagnostics {
			src := "hew {\n  guards {\n    max_deletes = " + slow + "\n  }\n}\n"
			_, diags := config.Load(short(), fstest.MapFS{"main.hcl": {Data: []byte(src)}}, ".", catalog(), config.Vars{})
			return diags
		},
		"Run": func() hcl.Diagnostics {
			_, diags := load(t, map[string]string{"main.hcl": "locals {\n  n = " + slow + "\n}\n"}).
				NewEval().Run(short(), nil)
			return diags
		},
		"Expression": func() hcl.Diagnostics {
			_, diags := load(t, map[string]string{"main.hcl": "locals {\n  n = 1\n}\n"}).
				NewEval().Expression(short(), nil, slow)
			return diags
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			diags := evaluate()
			require.Len(t, diags, 1)
			require.Equal(t, "Interrupted", diags[0].Summary)
		})
	}
}
