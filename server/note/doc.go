// Package note keeps what people say, and what hewd notes down, about issues, epics, commits and
// snippets: notes and their threads, emoji reactions, and who is mentioned.
//
// It knows its targets by their ids alone, so that every domain with things to talk about can use
// it. The domain of a target decides who may read and write; the api packages mount the routes of
// notes below their own ([hew/server/note/api]). What follows from a note, such as to-dos, hooks
// and mails, is done by listeners of [Created].
//
// A note belongs to a thread from the start. One that nobody replied to is the only note of its
// thread and has no type; the first reply turns both into a DiscussionNote.
package note
