// Package reconcile turns a configuration and a host into a plan, and a plan
// into requests. It knows hosts only through Provider and prints nothing:
// callers get values and events.
//
// What callers see is in engine.go, and what hosts have to be in provider.go.
//
// Four words. The *world* is what a run knows: what is declared, what is live,
// and which is which. It grows in *waves*: whatever can be read by now is read
// in one go. A *node* is one declared object on its way to a change; an
// *orphan* is something the ledger has and nobody declares. (world.go, node.go,
// orphan.go)
//
// In the order in which things happen:
//
//	run.go      Plan: open the ledger, settle, build, order
//	move.go     what was moved has its new address before anything is matched
//	world.go    a wave: take in what the configuration says, place all that can be placed; wave.go, what is to be read for that
//	narrow.go   what a plan with targets or exclusions is about; by depend.go; asked.go checks what the command line names
//	refer.go    fold paths, names and ids into references, one for each thing; sibling.go, what is named within an owner
//	place.go    find the live object of a node: its owner (owner.go), the ledger's id, an import (import.go), the key; match.go, once it is found
//	invited.go  who is declared by an e-mail address, before and after accepting
//	frozen.go   archived things, and all in them, are left alone
//	access.go   who lets whom in, as far as it is declared: what names somebody waits for that
//	inherit.go  what the owner's owner gives must not be undercut
//	orphan.go   what becomes of what nobody declares (along.go, and of what is in it); stray.go the same for exclusive collections; beside.go lists what is in others
//	data.go     data sources, answered for the planned world, lists by listing.go, laid out by spread.go (patience.go: not before all is declared), what is always there by overlay.go; oracle.go shows all of it to expressions
//	renew.go    what is made anew, and is unknown from then on: settle once more
//	founder.go  who makes a group is an owner of it, wanted or not
//	admit.go    who is named and has no access is an error before anything is written; knock.go asks at each door
//	spent.go    what the host showed once and nobody can read again: left as it was sent, or blocked
//	due.go      what is to be made anew because something else has changed, until it is
//	build.go    nodes, orphans (gone.go) and strays become changes; facts.go gathers what guards look at
//	apply.go    walk the graph: update, delete; create.go, which may find what is there already; final.go completes values that were unknown
//	base.go     an earlier configuration in the place of a ledger; shared.go, one reading of the host for several runs
//	journal.go  what the ledger is told, before and after each request
//
// console.go evaluates what somebody types. Keys and names for people are in name.go, lists with their indexes in
// collection.go, what is worth remembering of live objects in keep.go.
package reconcile
