// Package reconcile turns a configuration and a host into a plan, and a plan
// into requests. It knows hosts only through Provider and apply.Writer and
// prints nothing: callers get values and events.
//
// What callers see is in engine.go, and what hosts have to be in provider.go.
//
// This package holds the order of the phases. Each phase is a package below:
//
//	config   evaluates what is declared
//	match    finds which live object each declaration stands for, and what nobody declares
//	data     answers data sources for the planned world
//	change   turns the world into changes
//	access   checks that what is named has access, once the plan is applied
//	plan     orders the changes, holds them to guards and gives them a digest
//	apply    writes the changes to the host and the ledger
//
// The world (match.World) is what a run knows. It grows in waves: what can be
// read by now is read in one go, then everything is placed again.
//
//	run.go      Plan: the phases in order, from opening the ledger to ordering the changes
//	wave.go     evaluate and read in turn until neither has news for the other
//	address.go  what the command line names has to be there
//	build.go    the plan with its guards and digest; Apply
//	base.go     an earlier configuration in the place of a ledger
//	shared.go   one reading of the host for several runs
//	console.go  evaluates what somebody types
//
// # Decisions
//
// Reads do not fail as a whole: each reading has a state of its own, and what cannot
// be read blocks its dependents while the rest goes on. Nothing under what is
// blocked is ever planned for deletion.
//
// Writing is another interface than reading, so that planning has nothing to write
// with.
//
// A changed owner leaves an orphan of its own behind ("deposed"), which stays in the
// ledger until it is gone, instead of one replacement that could fail half-way and
// forget it. create_before_destroy is the same: a creation, and a deposed object
// that goes once all that refer to the new one know it.
//
// What is made anew has no id until it is made: it becomes unknown to expressions,
// and evaluation and reading start over, so that replacements, their triggers and
// what is made of their ids are found in one plan. What triggers a replacement is
// seen in that plan only, so the ledger marks the object as due before anything is
// sent.
//
// A narrowed plan leaves out without forgetting. What -target and -exclude leave out
// is evaluated and not read; it is placed only where it may be what the rest is about
// to delete.
//
// An earlier configuration can stand in for the ledger (base.go). It is planned, and
// what it finds becomes the entries of a ledger that ends with the run.
package reconcile
