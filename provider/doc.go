// Package provider speaks for one host with an API compatible with GitLab's
// version 4. It offers the kinds of objects that hew manages there and carries
// out the reads and writes that the engine decides on; it satisfies
// reconcile.Provider by shape and knows nothing of plans or ledgers.
//
// A kind is one file: what configuration calls it, where it is listed, and the
// table of its attributes, a row each, in which everything about an attribute
// is said (attr.go has the words). Only what an API does its own way takes more,
// a field of [rest]. The generic core (read.go, find.go, write.go) walks both.
// To add a kind, write its file and name it in catalog.go.
package provider
