// Package mirror keeps mirrors: push mirrors, the repositories elsewhere that a project is pushed
// to, and pull mirrors, those that projects follow.
//
// # How a mirror runs
//
// A row says when its mirror is due. A push to the project makes its push mirrors due, at once or,
// if one has just started, some minutes after that; a pull mirror is due at intervals. A job runs a
// mirror that is due. While it runs, its process notes in the row that it is alive: if it is
// killed, [Sweep] gives the run to another one. So one process at most runs a mirror. Each run has
// a number, and the statements that end it name it, so that a process that was taken for dead
// changes nothing.
//
// # How it reaches the other host
//
// By the client of package remote, in this process, and not by git's. Every connection is made by
// package outbound: it resolves the name, checks each address and connects to exactly these, so
// that an answer of DNS that changes after the check leads nowhere. git would look the name up
// again, follow redirects by itself and need the credentials in its arguments, environment or
// files; here passwords and private keys stay in memory. The git program only packs objects: it
// gets no address, no secret and no network.
//
// Over SSH a mirror accepts the host keys that it was given. If it was given none it keeps those of
// the first connection, and shows their fingerprints; from then on, no other key is accepted.
//
// Large files of git-lfs go along over HTTP, by the client in lfs_client.go. Pull mirrors look for
// them in new commits, and in all commits while some of earlier pulls may be missing.
//
// Credentials in an address and private keys are sealed and never shown. What another host says is
// shown without them.
package mirror
