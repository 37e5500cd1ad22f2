// Package match finds out which live object each declaration stands for, and what
// is live or in the ledger and nobody declares.
//
// A World is what a run knows, in five parts: Declarations (what the configuration
// says), Matches (which is which), Readings (what the host says), Departures (what
// the ledger has beyond that) and Messages (what expressions and people are yet to
// be told). A World asks for readings and never reads: it collects what it wants in
// a wave, which its caller reads and gives back. Nothing outside sets the state of
// what it holds but by its methods.
//
// Matching goes by live identity, not by address: the ledger's id, then an import,
// then the natural key, then creation. A Node is one declared object on its way
// to a change; a Seeker is anything declared that has an owner to find; an Orphan is
// a ledger entry that nobody declares.
//
// In the order in which things happen:
//
//	world.go        what a World is and when its parts act
//	declaration.go  takes in an evaluation; node.go, what is known of one object
//	move.go         gives what was moved its new address in the ledger
//	reading.go      what is to be read, and what was; kept.go, what is worth holding
//	collection.go   a list that was read, with its indexes
//	scope.go        what a narrowed plan is about; by dependency.go
//	reference.go    paths, names and ids become references, one for each thing
//	sibling.go      the same for what is named within an owner
//	place.go        finds the live object of a node, by its owner (owner.go), the
//	                ledger's id, an import (import.go) or its key
//	match.go        what a node knows once its live object is found; identity.go, which is which
//	invitation.go   who is declared by an e-mail address, before and after accepting
//	archived.go     archived things, and all in them, are left alone
//	grant.go        what gives access to what, as far as it is declared
//	inherit.go      what an owner's owner gives must not be undercut
//	supersede.go    makes room for a new object beside the old one
//	orphan.go       decides what becomes of what nobody declares; departure.go, all of it; content.go, what is in it
//	stray.go        the same for what exclusive blocks claim
//	key.go          natural keys; name.go, names for people
//	message.go      news for expressions, notes for people
package match
