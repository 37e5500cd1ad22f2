// Package gist imports the gists of a user from a host of the GitHub kind, as personal snippets
// (spec 1 §4.7, transfer §3.3).
//
// A user has one import at a time, a row of gist_imports. Its token is sealed while the import is
// not over, and dropped then. A job reads the pages of the host and stores each gist in a
// transaction of its own, together with the progress; a snippet knows the address of its gist,
// which is unique for a user. So an import that was killed goes on at its page and stores nothing
// twice, nor does another import later.
//
// Each time when a process takes the import it counts as an attempt, and a process whose attempt is
// not the last one any more stores nothing. Where the host asks to wait, the import says until
// when, and gives its worker back.
//
// A gist that a snippet cannot be is skipped: it has too many files, is too large, has names that
// git refuses, or its files cannot be read. The record and a mail to the user say which and why.
package gist
