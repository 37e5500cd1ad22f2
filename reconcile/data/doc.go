// Package data answers data sources for the planned world: the live objects, plus the declared
// ones, minus the ones that will be deleted. Its Sources are the oracle that evaluations query.
//
// A list source is answered once. While the instances of a block are unknown, that block may still
// declare objects of the list, so the list waits for it (wait.go). Objects that this run creates
// are in the answer with unknown ids, which become known during apply.
//
// Files: source.go (sources and single objects), listing.go (lists), item.go (one row of a list),
// overlay.go (objects that always exist), wait.go (lists that wait), oracle.go (what expressions
// see).
package data
