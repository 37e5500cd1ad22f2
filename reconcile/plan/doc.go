// Package plan compares declared objects with live ones and with prior state, and decides what to
// do about each difference, why, in which order, and whether it is safe. It never reads or writes
// the host.
//
// # Terms
//
//	change    what the plan does with one object; Action says what
//	cause     who made a difference: the configuration, drift, or both
//	guard     a check that stops the whole plan; package guard lists them
//	finding   one violation of a guard
//	lift      an override of a guard: allow in a block, or a setting in hew { guards { … } }
//	stray     an undeclared live object in an exclusive set or collection
//	cascade   what the host deletes along with an object, without a change of its own
//
// # Invariants
//
// A Differ looks only at attributes that are declared, and at those that hew has set before.
// Digests of the last applied values in the ledger tell configuration changes from drift.
//
// The digest of a plan covers what it would do and the objects as they are before. Two runs with
// the same digest do the same.
//
// # Files
//
//	plan.go        Plan, Action and Cause; change.go, one change; origin.go, where it comes from
//	diff.go        compares attributes; ignore.go, ignore_changes; toplevel.go, moves to the top
//	resent.go      secrets that are sent again with an update
//	trigger.go     replace_triggered_by
//	order.go       the graph in which changes are applied; order_*.go, its edges
//	guard.go       runs the guards in guard_*.go; lift.go, unused overrides
//	digest.go      digests of changes and plans
package plan
