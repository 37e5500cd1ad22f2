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
package reconcile
