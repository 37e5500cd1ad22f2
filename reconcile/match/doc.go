// Package match finds the live object of each declared object, and decides what happens to orphans
// and strays.
//
// # Terms
//
//	node     one declared object on its way to a change
//	owner    the group, project or instance that an object is in
//	orphan   a ledger entry without a block
//	stray    an undeclared live object in an exclusive set or collection
//	deposed  an object that this plan replaces, or whose owner has changed; it keeps a ledger entry
//	         of its own until it is deleted
//	sibling  an object in the same owner that a declaration refers to by name
//	wave     the reads that are wanted next; they are sent together
//	stale    a block whose values changed since the last evaluation
//	peers    instances of one block, whose addresses may change although their objects stay
//	scope    the part of the world that -target and -exclude leave in the plan
//
// # Invariants
//
// A World never reads the host. It collects the reads that it wants in a wave; the caller reads
// them and passes the results to Receive.
//
// Nodes are matched by live identity, not by address: by the id in the ledger, then an import
// block, then the natural key. If all fail, the object will be created. Before that, instances of
// one block exchange their ledger entries so that each has the object that was applied with its key
// or, if there is none, the object that has its key now. An instance whose key did not change since
// it was applied keeps its entry: a key that differs on the host was changed by hand.
//
// Nothing in a blocked block or module is deleted, because it may still be declared.
//
// Other packages change a World, and what it holds, only by calling methods.
//
// # Files
//
//	world.go        the World and when its parts act
//	declaration.go  the result of an evaluation; node.go, what is known of one declaration
//	move.go         applies moved blocks to the ledger
//	reading.go      wanted and completed reads; kept.go, the attributes to keep of them
//	collection.go   a list that was read, with its indexes
//	scope.go        -target and -exclude; dependency.go, the dependencies that they follow
//	reference.go    resolves paths, names and ids to shared references
//	sibling.go      resolves names within an owner
//	readdress.go    follows objects whose addresses change; applied.go, by the keys in the ledger;
//	                peer.go, the addresses that are looked at, and exchange.go, the ledger
//	regroup.go      follows elements whose set changes its address
//	deferral.go     nodes and lists that wait until nothing else can proceed
//	match.go        matches a node, using owner.go, import.go and key.go
//	renamed.go      resolves the users and groups that nodes name, and follows renamed ones
//	live.go         records the live object; identity.go, the indexes of nodes and references
//	invitation.go   members declared by e-mail address, before and after they accept
//	archived.go     skips archived objects and everything in them
//	grant.go        which declarations grant access to what
//	omit.go         leaves out references that hosts leave out
//	inherit.go      levels that an owner inherits
//	supersede.go    deposes an object for create_before_destroy
//	orphan.go       decides the action on an orphan; undeclared.go, all of them
//	content.go      what the host deletes along with an object
//	stray.go        strays in exclusive sets and collections
//	name.go         titles shown to users
//	message.go      stale blocks, diagnostics and notes
package match
