package session

import (
	"os"
	"path/filepath"
	"strings"
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
		"outside":                            {path: "../../ledger.json", refused: "it leads out of the repository"},
		"absolute":                           {path: "/etc/ledger.json", refused: "it leads out of the repository"},
		"by a linked directory":              {path: "out/ledger.json", link: [2]string{"out", "/etc"}, refused: "it leads out of the repository"},
		"by the default's link":              {link: [2]string{".hew", "/etc"}, refused: "Remove the link"},
		"by a link to a file":                {path: "l.json", link: [2]string{"l.json", "/etc/passwd"}, refused: "it leads out of the repository"},
		"by a link to nothing":               {path: "l.json", link: [2]string{"l.json", "/etc/new"}, refused: "does not exist"},
		"by a link within":                   {path: "in/l.json", link: [2]string{"in", ".."}},
		"git's":                              {path: "../.git/ledger.json", refused: "git's own directory"},
		"the environment's":                  {env: "../../ledger.json"},
		"the environment's home":             {env: "~/ledger.json", refused: "begins with ~, which only a shell expands"},
		"home":                               {path: "~/ledger.json", refused: "begins with ~, which only a shell expands"},
		"the block's, not the environment's": {path: "../../ledger.json", env: "/var/l.json", refused: "it leads out of the repository"},
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
			if !strings.HasPrefix(c.refused, "begins with ~") {
				require.ErrorContains(t, found.Diagnostics, "set HEW_LEDGER_PATH to the file")
			}
		})
	}
}

// A configuration cannot read a ledger or its key, also through links, whether the block or the
// environment names the ledger, nor those of another directory.
func TestConfigurationDoesNotReadLedgers(t *testing.T) {
	t.Parallel()
	const header = `{"hew_ledger":1,"lineage":"x"}` + "\n"
	for name, c := range map[string]struct {
		path, env string // in the ledger block, and HEW_LEDGER_PATH
		files     map[string]string
		links     [2]string // new name and target, by a link and by a hard link
		read      string
	}{
		"the key":              {files: map[string]string{".hew/key": "k"}, read: ".hew/key"},
		"in another case":      {files: map[string]string{".Hew/key": "k"}, read: ".Hew/key"},
		"another file of .hew": {files: map[string]string{".hew/ledger.json.lock": "k"}, read: ".hew/ledger.json.lock"},
		"the ledger":           {files: map[string]string{".hew/ledger.json": "torn"}, read: ".hew/ledger.json"},
		"of another directory": {files: map[string]string{"../b/.hew/key": "k"}, read: "../b/.hew/key"},
		"a link": {
			files: map[string]string{".hew/key": "k"}, links: [2]string{"a.txt", ".hew/key"}, read: "a.txt",
		},
		"the block's": {path: "s/l.json", files: map[string]string{"s/key": "k"}, read: "s/key"},
		"the block's, linked": {
			path: "s/l.json", files: map[string]string{"s/key": "k"}, links: [2]string{"a", "s/key"}, read: "a",
		},
		"the environment's":        {env: "../s/l.json", files: map[string]string{"../s/key": "k"}, read: "../s/key"},
		"the environment's ledger": {env: "../s/l.json", files: map[string]string{"../s/l.json": "x"}, read: "../s/l.json"},
		"the environment's, linked": {
			env: "../s/l.json", files: map[string]string{"../s/key": "k"}, links: [2]string{"a", "../s/key"}, read: "a",
		},
		"any ledger":            {files: map[string]string{"old.txt": header}, read: "old.txt"},
		"the key of any ledger": {files: map[string]string{"s/l.txt": header, "s/key": "k"}, read: "s/key"},
	} {
		for kind, link := range map[string]func(string, string) error{"a link": os.Symlink, "a hard link": os.Link} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				block := "output \"read\" {\n  value = file(\"" + c.read + "\")\n}\n" +
					"output \"bad\" {\n  value = local.none\n}\n"
				if c.path != "" {
					block += "hew {\n  ledger \"file\" {\n    path = \"" + c.path + "\"\n  }\n}\n"
				}
				e := newEnv(t, block)
				top := filepath.Join(t.TempDir(), "repository")
				dir := filepath.Join(top, "a")
				require.NoError(t, os.MkdirAll(filepath.Join(top, ".git"), 0o755))
				require.NoError(t, os.Rename(string(e.Dir), dir))
				e.Dir, e.Environ = workdir.Dir(dir), map[string]string{"HEW_LEDGER_PATH": c.env}
				for file, content := range c.files {
					require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
					require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600))
				}
				if c.links[0] != "" {
					require.NoError(t, link(filepath.Join(dir, c.links[1]), filepath.Join(dir, c.links[0])))
				}
				_, found := e.Read(t.Context(), Options{})
				require.ErrorContains(t, found.Diagnostics, "it belongs to a ledger of hew")
			})
		}
	}
}
