package config_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// FuzzEvaluate loads and evaluates whatever it is given as a configuration with
// a module, in either syntax: it may be wrong in any way, and every way is a
// diagnostic with a place.
func FuzzEvaluate(f *testing.F) {
	seed := func(name string, src []byte) {
		f.Add(string(src), "variable \"v\" {}\noutput \"o\" { value = var.v }\n", filepath.Ext(name) == ".json")
	}
	bad, err := filepath.Glob("testdata/bad/*.hcl")
	require.NoError(f, err)
	for _, name := range bad {
		src, err := os.ReadFile(name)
		require.NoError(f, err)
		seed(name, src)
	}
	good, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(f, err)
	for _, name := range good {
		arc, err := txtar.ParseFile(name)
		require.NoError(f, err)
		for _, file := range arc.Files {
			seed(file.Name, file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, root, module string, json bool) {
		name := "main.hcl"
		if json {
			name += ".json"
		}
		fsys := fstest.MapFS{
			name: {Data: []byte(root)}, "web/main.hcl": {Data: []byte(module)}, "team/main.hcl": {Data: []byte(module)},
		}
		cfg, diags := config.Load(t.Context(), fsys, ".", catalog(), config.Vars{Partial: true})
		if diags.HasErrors() {
			return
		}
		ev := cfg.NewEval()
		_, first := ev.Run(t.Context(), nil)
		again, second := ev.Run(t.Context(), nil)
		require.Equal(t, len(first), len(second), "a second run says the same")
		for i := range again.Instances {
			d := &again.Instances[i]
			back, more := ev.Instance(nil, d.Addr)
			require.Equal(t, first.HasErrors() && more.HasErrors(), more.HasErrors())
			require.NotNil(t, back, d.Addr)
		}
	})
}
