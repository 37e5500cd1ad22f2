package config_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// slow is an expression that HCL evaluates for seconds, in little memory.
const slow = "length([for a in range(16) : length([for b in range(1024) : length([for c in range(1024) : c])])])"

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

// The limit of memory is a number of MiB that hew itself does not use up.
func TestMemoryVariable(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"4GiB", "0", "10"} {
		_, diags := config.Load(t.Context(), fstest.MapFS{"main.hcl": {}}, ".", catalog(), config.Vars{
			Env: func(string) (string, bool) { return text, true },
		})
		require.ErrorContains(t, diags, "HEW_MEMORY_LIMIT must be a whole number of MiB, at least 64, such as 4096.")
	}
}

// Values that double along a chain end at the first that is too large, whether they take memory or
// share their elements.
func TestDoubling(t *testing.T) {
	t.Parallel()
	const links = 30
	for name, twice := range map[string]string{
		"templates": `"${%[1]s}${%[1]s}"`, "directives": `"%%{ for c in [1, 2] }${%[1]s}%%{ endfor }"`,
		"tuples": "[%[1]s, %[1]s]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			b.WriteString("locals {\n  v0 = \"0123456789abcdef\"\n")
			for i := range links {
				fmt.Fprintf(&b, "  v%d = %s\n", i+1, fmt.Sprintf(twice, fmt.Sprintf("local.v%d", i)))
			}
			b.WriteString("}\n")
			_, diags := load(t, map[string]string{"main.hcl": b.String()}).NewEval().Run(t.Context(), nil)
			require.Len(t, diags, 1)
			require.Equal(t, "Value too large", diags[0].Summary)
			require.Greater(t, diags[0].Subject.Start.Line, 15)
		})
	}
}

// A chain of module calls has a limit.
func TestModuleDepth(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for i := range 70 {
		dir := strings.Repeat("m/", i)
		files[dir+"main.hcl"] = &fstest.MapFile{Data: []byte("module \"m\" {\n  source = \"./m\"\n}\n")}
	}
	_, diags := config.Load(t.Context(), files, ".", catalog(), config.Vars{})
	require.Len(t, diags, 1)
	require.Equal(t, "Too many nested modules", diags[0].Summary)
	require.Contains(t, diags[0].Detail, "in module.m.module.m.")
}
