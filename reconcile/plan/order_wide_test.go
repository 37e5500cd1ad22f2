package plan_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// TestWholeBlocksAreWaitedForAsOne checks that a thousand changes that wait for a block of a
// thousand instances take two thousand edges, not a million.
func TestWholeBlocksAreWaitedForAsOne(t *testing.T) {
	t.Parallel()
	const n = 1000
	kind := &schema.Kind{Name: "thing"}
	needed, waiting := addr.Block{Kind: "thing", Name: "needed"}, addr.Block{Kind: "thing", Name: "waiting"}
	var changes []plan.Change
	for i := range n {
		for _, b := range []addr.Block{needed, waiting} {
			d := &config.Desired{
				Addr: addr.Instance{Block: b, Key: addr.StringKey(fmt.Sprint(i))}, Object: schema.Object{Kind: kind},
			}
			if b == waiting {
				d.DeferUntil = []addr.Block{needed}
			}
			changes = append(changes,
				plan.Change{
					Addr: d.Addr, Kind: kind, Action: plan.Create, Origin: plan.FromBlock{Desired: d}, After: d.Object,
				})
		}
	}
	g, err := plan.Order(changes, schema.Self{})
	require.NoError(t, err)
	edges := 0
	for _, node := range g.Nodes() {
		edges += len(g.Needs(node))
	}
	require.Equal(t, 2*n, edges)

	order, err := g.Sort()
	require.NoError(t, err)
	left := n
	for _, a := range order {
		switch {
		case a.Block == needed && a.Key != "":
			left--
		case a.Block == waiting:
			require.Zero(t, left, "%s comes before all of %s are done", a, needed)
		}
	}
}
