// Package apply executes a plan. It writes each change once, in the order of the plan's graph,
// records it in the ledger before and after, and checks postconditions. Values that were unknown in
// the plan are evaluated as the objects they depend on are created.
//
// A failed change skips its dependents and nothing else. An interrupted run finishes the changes in
// flight. An object that the host created is in the ledger even if the run crashes.
//
// Files: job.go (the run), create.go, update.go (one change), lookup.go (whether an object to
// create exists), final.go (final values and conditions), entry.go (ledger entries), triggered.go
// (pending replace_triggered_by), outcome.go (the result).
package apply
