package plan_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/guard"
	"hew/reconcile/plan"
)

// TestEveryGuardIsLookedFor holds what looks for breaches to the list of guards.
func TestEveryGuardIsLookedFor(t *testing.T) {
	t.Parallel()
	var codes []string
	for _, rule := range guard.Rules() {
		codes = append(codes, rule.Code)
	}
	slices.Sort(codes)
	require.Equal(t, codes, plan.Searched())
}
