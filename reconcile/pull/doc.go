// Package pull writes what is on a host as configuration that people can go on with. It writes one
// file for each group, and references instead of ids. It leaves out arguments whose value is the
// default.
//
// The main invariant: a plan of the written configuration adopts every object and changes nothing.
// No secret is written. A variable without a value stands for each of them, which leaves the secret
// on the host as it is.
//
// The package knows no kind by name. [schema.Kind.Owner] and Tree tell what contains what, the Deep
// sources of Data what can be listed at any depth, Set which kind declares many objects in one
// block, and the State and Note of an object what nobody manages.
//
// Reading order: subject.go (what is pulled), choice.go (which kinds), tree.go (finds the groups
// and projects), read.go (reads what is in them, in batches that bound the memory), object.go
// (decides what a block states), secret.go (finds secrets), identity.go (drops objects
// that hew could not tell apart), reference.go and name.go (references and names), block.go and
// output.go (write the blocks and files), summary.go (what was written and what was not).
package pull
