package plan_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/guard"
	"hew/reconcile/plan"
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
