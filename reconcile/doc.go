// Package reconcile turns a configuration and a host into a plan, and a plan into requests. It
// accesses hosts only through Provider and apply.Writer, and prints nothing: callers get values and
// events.
//
// engine.go has the API for callers, provider.go the interface of hosts.
//
// This package runs the phases in order. Each phase is a package:
//
//	config   evaluates the configuration
//	match    finds the live object of each declaration, orphans and strays
//	data     answers data sources for the planned world
//	change   turns the world into changes
//	access   checks that users and groups have access where they are named
//	plan     compares, orders the changes, runs the guards, computes digests
//	apply    writes the changes to the host and the ledger
//
// A match.World is what a run knows. It grows in waves: all reads that are wanted at one time are
// sent together, then everything is matched again.
//
//	run.go      Plan: the phases, from opening the ledger to ordering the changes
//	wave.go     evaluates and reads in turn until nothing changes
//	address.go  checks the addresses on the command line
//	build.go    completes the plan with guards and digest; Apply
//	base.go     an earlier configuration in place of the ledger
//	shared.go   shares the reads of several runs
//	console.go  evaluates expressions for hew console
//	dependency.go  adds references by path to the dependencies of blocks
//
// # Decisions
//
// Reads do not fail as a whole. Each reading has its own state; what cannot be read blocks its
// dependents, and the rest goes on. Nothing below a blocked address is planned for deletion.
//
// Writing is a separate interface from reading, so planning cannot write.
//
// If the owner of an object changes, the old object becomes a deposed orphan with its own ledger
// entry until it is deleted. A single replacement could fail half-way and lose it.
// create_before_destroy works the same way: the old object is deposed, and deleted after everything
// that refers to the new one is updated.
//
// A replaced object has no id until it is created. Its id becomes unknown to expressions, and
// evaluation and reading start over, so that one plan finds all replacements, including those that
// others trigger. A trigger is visible only in that plan, so the ledger marks triggered objects as
// due before anything is sent.
//
// -target and -exclude do not make hew forget anything. Declarations outside the scope are
// evaluated, but not read. They are matched only if they may be what the rest of the plan would
// delete.
//
// An earlier configuration can replace the ledger (base.go). It is planned, and the objects it
// finds become the entries of a ledger that lasts for the run.
package reconcile
