package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/provider"
	"hew/reconcile/plan"
	"hew/reconcile/report/reporttest"
	"hew/schema"
)

// driftOf returns the document of drift with the given changes, which undo it.
func driftOf(changes ...plan.Change) *Document {
	d := NewDocument("drift", "dev")
	d.RecordPlan(&plan.Plan{Changes: changes}, provider.Kinds())
	return d
}

// TestDriftOfWaitingMembers checks that drift says of a changed member why it has no access yet.
func TestDriftOfWaitingMembers(t *testing.T) {
	t.Parallel()
	for state, note := range map[schema.State]string{
		schema.Present:  "",
		schema.Invited:  "invited, not yet a member",
		schema.Awaiting: "awaiting approval, not yet a member",
	} {
		k := reporttest.MemberKind
		d := driftOf(plan.Change{Addr: reporttest.At(k, "acme", "", "bob"), Action: plan.Delete, Kind: k,
			Cause: plan.ByDrift, Before: schema.Object{Kind: k, ID: "5", State: state}})
		require.Len(t, d.Drift, 1)
		require.Equal(t, note, d.Drift[0].Note, state)
	}
}
