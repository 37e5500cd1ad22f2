package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hew/reconcile/golden"

	"hew/provider"
)

// TestMain lets scripts run this very program as hew.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hew": func() { os.Exit(Main("dev")) }})
}

// TestScripts runs the stories of commands that need no host.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *golden.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"terminal": atTerminal},
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"HEW_URL", "HEW_TOKEN", "GITLAB_BASE_URL", "GITLAB_TOKEN", "CI_API_V4_URL",
				"HEW_LOG"} {
				env.Setenv(name, "")
			}
			return nil
		},
	})
}

// offline is the provider of hew's own kinds.
var offline = func() *provider.Provider {
	p, err := provider.New(nil)
	if err != nil {
		panic(err)
	}
	return p
}()
