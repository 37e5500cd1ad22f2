// Package errortracking keeps the errors of what projects run (spec 3 §2.6, gaps §13.4, §15): the
// setting and the keys of a project, and the events that the SDKs of the tracker send to the
// address that is made of a key.
//
// It is a domain of its own, apart from integrations: those send what happens here to others, while
// this one takes in what programs elsewhere send, which is data of strangers. A key is in the
// programs of a project and not secret, so anybody may send anything. Everything is bounded: the
// bytes that are read, the depth and the size of what is kept of an event, the events that are kept
// of an error, the errors of a project, and the requests in a minute. What is odd in an event is
// left out of it.
//
// Events with the same fingerprint are one Error. A program can give the fingerprint; otherwise it
// is made of the types of the exceptions and the places in the program where they occurred, or of
// the logger and the message. An error that was resolved is unresolved again when it occurs again.
//
// Of the people who use a program an event keeps no more than an id: no addresses, no cookies, no
// bodies and queries of requests, no local variables.
package errortracking
