package testacc

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/cmd/hew/cli"
	"hew/reconcile/edits"
	"hew/server/servertest"
)

var editSeeds = flag.Int("edit-seeds", 10, "how many random configurations TestRandomEdits edits")

// editKinds are kinds whose names go from block to block, in the group and project of a seed.
var editKinds = []edits.Kind{
	{Name: "project_label",
		Body: "project = \"GROUP/api\"\n  name = NAME\n  color = \"#00ff00\"\n  description = ATTR"},
	{Name: "group_milestone", Body: "group = \"GROUP\"\n  title = NAME\n  description = ATTR"},
	{Name: "protected_branch", Body: "project = \"GROUP/api\"\n  name = NAME\n  allow_force_push = ATTR == \"x\""},
	{Name: "project_variable", Body: "project = \"GROUP/api\"\n  key = NAME\n  value = \"v${ATTR}\""},
	{Name: "project_hook", Body: "project = \"GROUP/api\"\n  url = \"https://${NAME}.example.com\"\n" +
		"  push_events = ATTR == \"x\""},
	{Name: "environment", Body: "project = \"GROUP/api\"\n  name = NAME\n  external_url = \"https://${ATTR}.example.com\""},
	{Name: "pipeline_schedule", Body: "project = \"GROUP/api\"\n  description = NAME\n  ref = \"main\"\n" +
		"  cron = \"0 4 * * *\"\n  variables = { V = ATTR }"},
	{Name: "package_protection_rule", Body: "project = \"GROUP/api\"\n  package_type = \"npm\"\n" +
		"  package_name_pattern = NAME\n  minimum_access_level_for_push = ATTR == \"x\" ? \"owner\" : \"maintainer\""},
	{Name: "group", Body: "parent = \"GROUP\"\n  path = NAME\n  description = ATTR"},
	{Name: "project", Body: "namespace = \"GROUP\"\n  path = NAME\n  description = ATTR"},
	{Name: "group_member", Body: "group = \"GROUP\"\n  user = NAME\n" +
		"  access_level = lookup({ x = \"developer\", y = \"maintainer\", z = \"guest\" }, ATTR, 30)"},
}

// TestRandomEdits edits random configurations at random, as the test of the same name in package
// reconcile does on a fake host: a plan without errors applies in one run, and the next plan is
// empty.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	names := []string{"alice", "bob", "carol", "dora", "erin"}
	stage.introduce(t, names...)
	var applied atomic.Int64
	t.Run("seed", func(t *testing.T) {
		for seed := range *editSeeds {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				applied.Add(newEdited(t, stage.server, uint64(seed), names).live())
			})
		}
	})
	require.Greater(t, applied.Load(), int64(2**editSeeds), "hardly any edit was applied")
}

// live edits the configuration and applies it where it has no errors. It returns how often.
func (e *edited) live() (applied int64) {
	last := e.config.Clone()
	for range 8 {
		if e.apply() {
			last = e.config.Clone()
			applied++
		} else if applied > 0 {
			e.config = last.Clone() // it has errors: try another edit
		}
		e.config.Edit()
	}
	return applied
}

// edited is a configuration that is edited at random.
type edited struct {
	*testing.T
	config *edits.Config
	group  string
	dir    string
	env    []string
}

func newEdited(t *testing.T, server *servertest.Server, seed uint64, names []string) *edited {
	e := &edited{T: t, group: fmt.Sprintf("edited-%d", seed), dir: t.TempDir()}
	var group struct{ ID int64 }
	reply := server.Do(t, server.RootToken, "POST", "/groups", map[string]any{"name": e.group, "path": e.group})
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	require.NoError(t, json.Unmarshal(reply.Body, &group))
	reply = server.Do(t, server.RootToken, "POST", "/projects", map[string]any{"name": "api", "namespace_id": group.ID})
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	kinds := make([]edits.Kind, len(editKinds))
	for i, k := range editKinds {
		kinds[i] = edits.Kind{Name: k.Name, Body: strings.ReplaceAll(k.Body, "GROUP", e.group)}
	}
	e.config = edits.New(seed, kinds, names)
	e.env = []string{"HEW_URL=" + server.URL, "HEW_TOKEN=" + server.RootToken, "HOME=" + e.dir}
	return e
}

// apply applies the configuration in one run, with an empty plan after it. It returns false if the
// plan has errors.
func (e *edited) apply() bool {
	e.Helper()
	text := e.config.String()
	require.NoError(e, os.WriteFile(filepath.Join(e.dir, "main.hcl"), []byte(text), 0o600))
	if code, _ := e.hew("plan"); code != 0 {
		return false
	}
	code, said := e.hew("apply", "-auto-approve")
	require.Zero(e, code, "%s\n%s", text, said)
	code, next := e.hew("plan", "-detailed-exitcode")
	require.Zero(e, code, "%s\n%s\nthe next plan:\n%s", text, said, next)
	return true
}

// hew runs hew in this process.
func (e *edited) hew(args ...string) (code int, said string) {
	var out strings.Builder
	code = cli.Run(e.Context(), "test", cli.Process{Args: append([]string{"-chdir=" + e.dir}, args...), Environ: e.env,
		In: strings.NewReader(""), Out: &out, Err: &out})
	return code, out.String()
}
