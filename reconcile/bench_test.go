package reconcile_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
)

// The goal for 10,000 objects is half a second beside reading files and host.
func BenchmarkPlan10000(b *testing.B)   { benchmark(b, reconcile.Options{}) }
func BenchmarkTarget10000(b *testing.B) { benchmark(b, reconcile.Options{Target: one}) }

var one = []addr.Instance{{Block: addr.Block{Kind: "project_hook", Name: "h7"}, Key: addr.StringKey("7")}}

// benchmark plans 100 blocks of 100 existing hooks.
func benchmark(b *testing.B, opts reconcile.Options) {
	h, err := newHost(
		[]byte(`{"lists": {"groups": [{"id": 1, "path": "acme", "full_path": "acme"}], "groups/1/projects": []}}`),
	)
	require.NoError(b, err)
	var hcl strings.Builder
	for i := range 100 {
		h.lists["groups/1/projects"] = append(h.lists["groups/1/projects"],
			item{"id": 10 + i, "path": fmt.Sprint("p", i), "path_with_namespace": fmt.Sprint("acme/p", i)})
		hooks := fmt.Sprintf("projects/%d/hooks", 10+i)
		for j := range 100 {
			h.lists[hooks] = append(h.lists[hooks], item{"id": 1000*i + j, "url": fmt.Sprintf("https://%d.example", j)})
		}
		fmt.Fprintf(&hcl, "resource \"project_hook\" \"h%d\" {\n  for_each = toset([for i in range(100) : "+
			"tostring(i)])\n  project = \"acme/p%d\"\n  url = \"https://${each.key}.example\"\n}\n", i, i)
	}
	cfg, diags := config.Load(b.Context(),
		fstest.MapFS{"config.hcl": {Data: []byte(hcl.String())}}, ".", h.kinds, config.Vars{})
	require.False(b, diags.HasErrors(), "%v", diags)
	eng := &reconcile.Engine{Provider: h, Writer: h, Backend: ledger.Memory(), Host: "https://host.test", Who: "bench"}
	run, diags := eng.Plan(b.Context(), cfg, reconcile.Options{})
	require.False(b, diags.HasErrors(), "%v", diags)
	_, diags = run.Apply(b.Context())
	require.False(b, diags.HasErrors(), "%v", diags)
	for b.Loop() {
		run, diags := eng.Plan(b.Context(), cfg, opts)
		require.False(b, diags.HasErrors(), "%v", diags)
		require.True(b, run.Plan.Empty())
		require.Empty(b, run.Plan.Blocked)
	}
}
