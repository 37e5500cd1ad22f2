// Package apply carries a plan out: it writes each change once, in the order of the
// plan's graph, records it in the ledger before and after, and holds what was
// written to its postconditions. Values that were unknown are completed as the
// objects that they come from are made.
package apply
