// Package provider reads and writes the objects of one host whose API is
// compatible with GitLab's version 4. It offers the kinds of objects that hew
// manages and carries out what the engine decides. It satisfies
// reconcile.Provider by shape and knows nothing of plans or ledgers.
//
// A kind is a function that returns a [Kind], in a file of its own: what configuration calls
// it, where it is listed, and a table with a row for each attribute (attr.go has
// the types of rows, option.go and check.go what can be said of one). Only what an
// API does in a way of its own takes more, a field of [REST]. The generic core
// (read.go, find.go, write.go) walks these tables.
//
// To add a kind to hew, write its file and name it in builtin.go. A program adds
// kinds of its own by passing them to [New]; the example there has one.
package provider
