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

// TestDriftOfFailures checks that drift shows an object that does not do what it is for, and that
// hew apply does not claim to mend it.
func TestDriftOfFailures(t *testing.T) {
	t.Parallel()
	k := reporttest.MemberKind
	p := plan.Plan{Changes: []plan.Change{
		{Addr: reporttest.At(k, "acme", "", "ann"), Action: plan.NoOp, Kind: k,
			Before: schema.Object{Kind: k, ID: "4", Failure: "the last push failed: no such host"}},
		{Addr: reporttest.At(k, "acme", "", "bob"), Action: plan.NoOp, Kind: k, Before: schema.Object{Kind: k, ID: "5"}},
	}}
	drift := p.Drift()
	d := driftOf(drift.Changes...)
	require.Len(t, d.Drift, 1)
	e := d.Drift[0]
	require.Equal(t, Failing, e.Happened)
	require.Equal(t, "the last push failed: no such host", e.Note)
	require.Empty(t, e.Undo)
	require.Equal(t, "1 object has drifted: 1 failing.", d.Total())
}

// TestDriftOfMissingObjects checks that drift does not say that somebody deleted an object which
// was perhaps never created, and that it counts such objects apart.
func TestDriftOfMissingObjects(t *testing.T) {
	t.Parallel()
	k := reporttest.HookKind
	create := plan.Change{Addr: reporttest.At(k, "ci", "", ""), Action: plan.Create, Kind: k, Cause: plan.ByDrift}
	deleted := create
	deleted.Gone = true
	d := driftOf(create, deleted, deleted)
	require.Equal(t, []DriftKind{Missing, Deleted, Deleted},
		[]DriftKind{d.Drift[0].Happened, d.Drift[1].Happened, d.Drift[2].Happened})
	shown := d.Shown().Changes
	require.Equal(t, "not on the host: deleted by hand, or never created", shown[0].DriftLine())
	require.Equal(t, "deleted by hand", shown[1].DriftLine())
	require.Equal(t, "3 objects have drifted: 2 deleted, 1 missing. hew apply would undo this: 3 creates.", d.Total())
	require.Equal(t, "deleted or missing", d.Meaning(plan.Delete))
	require.Equal(t, "missing", driftOf(create).Meaning(plan.Delete))
}

// TestUndoOfDrift checks what hew apply would do about every sort of event, to objects and to
// elements of sets.
func TestUndoOfDrift(t *testing.T) {
	t.Parallel()
	by := func(undo string) Event {
		return Event{Undo: undo, Paths: []DriftedArgument{{Path: "color", Cause: string(plan.ByDrift)}}}
	}
	for undo, want := range map[string][2]string{
		"delete":  {"deletes it", "removes bob"},
		"create":  {"creates it again", "adds bob again"},
		"update":  {"sets color back", "sets bob back"},
		"adopt":   {"sets color back", "changes bob"},
		"replace": {"deletes it and creates it again", "replaces bob"},
		"restore": {"restores it", "restores bob"},
	} {
		object, element := by(undo), by(undo)
		element.Set, element.Element = "members.acme", "bob"
		require.Equal(t, "hew apply "+want[0]+".", describeUndo([]Change{{Event: &object}}))
		require.Equal(t, "hew apply "+want[1]+".", describeUndo([]Change{{Event: &element}}))
	}
	nothing := by("")
	require.Empty(t, describeUndo([]Change{{Event: &nothing}}))
}
