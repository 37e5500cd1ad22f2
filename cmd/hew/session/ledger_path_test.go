package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/cmd/hew/workdir"
)

// The configuration can name a ledger within its repository, and the environment one anywhere.
func TestLedgerPath(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path    string    // in the ledger block
		link    [2]string // name and target
		env     string
		refused string
	}{
		"the default":                        {},
		"within":                             {path: "state/new/ledger.json"},
		"in the repository":                  {path: "../ledger.json"},
		"outside":                            {path: "../../ledger.json", refused: "it leads to"},
		"absolute":                           {path: "/etc/ledger.json", refused: "it leads to /etc/ledger.json, outside of"},
		"by a linked directory":              {path: "out/ledger.json", link: [2]string{"out", "/etc"}, refused: "/etc/ledger.json"},
		"by the default's link":              {link: [2]string{".hew", "/etc"}, refused: "Remove the link"},
		"by a link to a file":                {path: "l.json", link: [2]string{"l.json", "/etc/passwd"}, refused: "/etc/passwd"},
		"by a link to nothing":               {path: "l.json", link: [2]string{"l.json", "/etc/new"}, refused: "does not exist"},
		"by a link within":                   {path: "in/l.json", link: [2]string{"in", ".."}},
		"git's":                              {path: "../.git/ledger.json", refused: "git's own directory"},
		"the environment's":                  {env: "../../ledger.json"},
		"the block's, not the environment's": {path: "../../ledger.json", env: "/var/l.json", refused: "it leads to"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			block := ""
			if c.path != "" {
				block = "hew {\n  ledger \"file\" {\n    path = \"" + c.path + "\"\n  }\n}\n"
			}
			e := newEnv(t, block)
			top := filepath.Join(t.TempDir(), "repository")
			require.NoError(t, os.MkdirAll(filepath.Join(top, ".git"), 0o755))
			require.NoError(t, os.Rename(string(e.Dir), filepath.Join(top, "live")))
			e.Dir = workdir.Dir(filepath.Join(top, "live"))
			e.Environ = map[string]string{"HEW_LEDGER_PATH": c.env}
			if c.link[0] != "" {
				require.NoError(t, os.Symlink(c.link[1], filepath.Join(string(e.Dir), c.link[0])))
			}
			backend, found := e.LoadBackend(t.Context(), Options{})
			if c.refused == "" {
				require.False(t, found.HasErrors(), "%s", found.Diagnostics)
				require.NotNil(t, backend)
				return
			}
			require.ErrorContains(t, found.Diagnostics, c.refused)
			require.ErrorContains(t, found.Diagnostics, "set HEW_LEDGER_PATH to the file")
		})
	}
}
