package testacc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shared is what the examples of kinds refer to.
const shared = "shared.hcl"

// TestExamples applies the example on every kind's reference page to a server of its own: what
// people copy has to work. After it there is nothing left to do, and it can be destroyed.
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
			require.NoError(t, os.WriteFile(filepath.Join(l.dir, "hew.hclvars"),
				[]byte("hook_token = \"of the example\"\nservice_secret = \"of the example\""), 0o600))
			require.NotEmpty(t, l.apply())
			l.hew(0, "destroy", "-auto-approve")
			require.Empty(t, l.hew(0, "ledger", "list"))
		})
	}
}

// TestExamplesHaveEveryKind looks for each kind in the examples: there is one to copy from. That
// they work is told by stories.
func TestExamplesHaveEveryKind(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../examples/*/*.hcl")
	require.NoError(t, err)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(text)
	}
	code, printed, stderr := runInside(t.Context(), ".", nil, "schema")
	require.Zero(t, code, stderr)
	var schema struct {
		Resources map[string]any
		Data      map[string]any `json:"data_sources"`
	}
	require.NoError(t, json.Unmarshal([]byte(printed), &schema))
	require.NotEmpty(t, schema.Resources)
	require.NotEmpty(t, schema.Data)
	for mode, kinds := range map[string]map[string]any{"resource": schema.Resources, "data": schema.Data} {
		for kind := range kinds {
			if block := mode + ` "` + kind + `" `; !strings.Contains(all.String(), block) {
				t.Errorf("no example has %s{ … }", block)
			}
		}
	}
}
