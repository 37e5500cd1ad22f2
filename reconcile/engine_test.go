package reconcile_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
)

// TestChangesSideBySide applies many changes concurrently, while stories apply one at a time. Half
// of the members were created by somebody else since the plan and have to be found; the groups of
// the others are created by this run.
func TestChangesSideBySide(t *testing.T) {
	t.Parallel()
	const n = 40
	h, err := newHost(
		[]byte(`{"lists": {"groups": [{"id": 1, "path": "old", "full_path": "old"}], "groups/1/members": []}}`),
	)
	require.NoError(t, err)
	var hcl strings.Builder
	for i := range n {
		h.users[fmt.Sprintf("u%d", i)], h.users[fmt.Sprintf("v%d", i)] = fmt.Sprint(100+i), fmt.Sprint(500+i)
		fmt.Fprintf(&hcl, "resource \"group_member\" \"found%d\" {\n  group = \"old\"\n  user = \"u%d\"\n  "+
			"access_level = 30\n}\n", i, i)
		fmt.Fprintf(&hcl, "resource \"group_member\" \"made%d\" {\n  group = group.new[%d].id\n  user = \"v%d\"\n  "+
			"access_level = 30\n}\n", i, i, i)
	}
	fmt.Fprintf(&hcl, `
resource "group" "new" {
  count       = %d
  path        = "new${count.index}"
  description = "made by hew"
}
output "ids" {
  value = group.new[*].id
}
`, n)
	cfg, diags := config.Load(t.Context(),
		fstest.MapFS{"config.hcl": {Data: []byte(hcl.String())}}, ".", h.kinds, config.Vars{})
	require.False(t, diags.HasErrors(), "%v", diags)
	eng := &reconcile.Engine{
		Provider: h, Writer: h, Backend: ledger.Memory(), Host: "https://host.test", Width: n, Lock: true, Who: "test",
	}
	var mu sync.Mutex
	ended := map[plan.Action]int{}
	eng.Notify = func(e reconcile.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Ended {
			ended[e.Action]++
		}
	}

	run, diags := eng.Plan(t.Context(), cfg, reconcile.Options{})
	require.False(t, diags.HasErrors(), "%v", diags)
	require.True(t, run.Plan.Applyable, "%v", run.Plan.Guards)
	require.Equal(t, []string{"https://host.test", "root"}, []string{run.Plan.Host, run.Plan.User})
	require.Empty(t, run.Plan.Blocked)
	for i := range n {
		name := fmt.Sprintf("u%d", i)
		h.lists["groups/1/members"] = append(
			h.lists["groups/1/members"], item{"id": h.users[name], "user": name, "access_level": 20},
		)
	}
	out, diags := run.Apply(t.Context())
	require.False(t, diags.HasErrors(), "%v", diags)
	require.Empty(t, out.Failed)
	require.Empty(t, out.Skipped)
	require.Len(t, out.Done, 3*n)
	require.Len(t, out.Notes, n, "one for each that was there already")
	require.Equal(
		t, map[plan.Action]int{plan.Create: 2 * n, plan.Adopt: n}, ended, "events tell what each change came to",
	)
	require.NoError(t, run.Close())

	run, diags = eng.Plan(t.Context(), cfg, reconcile.Options{})
	require.False(t, diags.HasErrors(), "%v", diags)
	require.True(t, run.Plan.Empty(), "the second plan has changes")
	require.NoError(t, run.Close())
}

// TestAnotherQueryListsTheSame checks that objects stay the same, and do not get another owner, if
// a later version of hew lists them with another query.
func TestAnotherQueryListsTheSame(t *testing.T) {
	t.Parallel()
	h, err := newHost([]byte(`{"lists": {"groups": [{"id": 1, "path": "acme", "full_path": "acme"}], "groups/1/members": []}, "users": {"alice": 7}}`))
	require.NoError(t, err)
	cfg, diags := config.Load(t.Context(), fstest.MapFS{"config.hcl": {Data: []byte(`resource "group_member" "alice" {
  group        = "acme"
  user         = "alice"
  access_level = 30
}`)}}, ".", h.kinds, config.Vars{})
	require.False(t, diags.HasErrors(), "%v", diags)
	eng := &reconcile.Engine{
		Provider: h, Writer: h, Backend: ledger.Memory(), Host: "https://host.test", Lock: true, Who: "test",
	}
	run, diags := eng.Plan(t.Context(), cfg, reconcile.Options{})
	require.False(t, diags.HasErrors(), "%v", diags)
	out, diags := run.Apply(t.Context())
	require.False(t, diags.HasErrors(), "%v", diags)
	require.Len(t, out.Done, 1)
	require.NoError(t, run.Close())

	h.kinds.Resources["group_member"].Collection += "?state=active"
	run, diags = eng.Plan(t.Context(), cfg, reconcile.Options{})
	require.False(t, diags.HasErrors(), "%v", diags)
	require.Len(t, run.Plan.Changes, 1)
	require.Equal(t, plan.NoOp, run.Plan.Changes[0].Action)
	require.NoError(t, run.Close())
}
