// Package provider speaks for one host with an API compatible with GitLab's
// version 4. It offers the kinds of objects that hew manages there and carries
// out the reads and writes that the engine decides on; it satisfies
// reconcile.Provider by shape and knows nothing of plans or ledgers.
//
// A kind is one file: the table of its attributes and a [rest] value that says
// where it lives on the API. The generic core (read.go, find.go, write.go)
// walks both. To add a kind, write its file and name it in catalog.go.
package provider
