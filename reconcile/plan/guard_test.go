package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/guard"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// TestEveryGuardIsLookedFor checks that every guard in the list has an implementation.
func TestEveryGuardIsLookedFor(t *testing.T) {
	t.Parallel()
	var codes []string
	for _, rule := range guard.Rules() {
		codes = append(codes, rule.Code)
	}
	slices.Sort(codes)
	require.Equal(t, codes, plan.Searched())
}

// TestMassDeleteCountsUndeclared checks that undeclared objects do not count as managed ones.
func TestMassDeleteCountsUndeclared(t *testing.T) {
	t.Parallel()
	p := &plan.Plan{}
	for i := range 5 {
		c := plan.Change{Addr: keyed("a", fmt.Sprint(i)), Kind: thing, Action: plan.Delete,
			Collection: schema.Collection{Path: fmt.Sprintf("groups/%d/things", i)}, Entry: &ledger.Entry{}}
		if i > 0 {
			c.Origin, c.Entry = plan.FromClaim{}, nil
		}
		p.Changes = append(p.Changes, c)
	}
	p.Guard(&plan.Facts{Managed: 2, Ledger: &ledger.Ledger{}, Declared: 1})
	var texts []string
	for _, g := range p.Guards {
		if g.Code == guard.MassDelete {
			texts = append(texts, g.Text)
		}
	}
	require.Equal(t, []string{"1 of 2 managed objects and 4 undeclared objects would be deleted in one run; " +
		"the limit is 3."}, texts)
}
