package testacc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shared is what the examples of kinds refer to.
const shared = "shared.hcl"

// TestExamples applies the example on every kind's reference page to a server of its own: what people copy has to work.
// After it there is nothing left to do, and it can be destroyed.
func TestExamples(t *testing.T) {
	t.Parallel()
	const examples = "../provider/examples"
	files, err := filepath.Glob(examples + "/*.hcl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := filepath.Base(file)
		if name == shared {
			continue
		}
		t.Run(strings.TrimSuffix(name, ".hcl"), func(t *testing.T) {
			t.Parallel()
			stage := newStage(t)
			stage.introduce(t, "alice", "bob", "carol")
			l := &life{T: t, stage: stage, dir: t.TempDir(), proxy: newProxy(t, stage.server)}
			for _, name := range []string{shared, name} {
				text, err := os.ReadFile(filepath.Join(examples, name))
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(l.dir, name), text, 0o600))
			}
			require.NoError(t, os.WriteFile(filepath.Join(l.dir, "hew.hclvars"), []byte("hook_token = \"of the example\"\nservice_secret = \"of the example\""), 0o600))
			require.NotEmpty(t, l.apply())
			l.hew(0, "destroy", "-auto-approve")
			require.Empty(t, l.hew(0, "ledger", "list"))
		})
	}
}
