// Package api serves notes, their discussions, and reactions, for the api packages that have things
// to talk about. Those mount the routes below their own with a [Mount]: the path, guards that open
// the scope S of a route of the thing, and an adapter that says what the scope means for notes.
//
//	m := noteapi.Mount[InIssue]{
//		Site: host.Site, Path: "/projects/{id}/issues/{issue_iid}",
//		Read: ForIssue(policy.ReadIssue), Write: ForIssue(createNote), Award: ForIssue(awardEmoji),
//		On:   InIssue.notes, // func(InIssue) noteapi.On
//		Commands: quick.For(quick.All, quick.Issue), Run: runCommands,
//	}
//	routes := slices.Concat(m.Notes(), m.Discussions(), m.Awards(), m.NoteAwards())
//
// The last wildcard of Path finds the thing; the guards do that. Write is the guard of creating,
// changing and deleting notes; who may change which note is decided here, by [On]. Things whose
// routes of notes and of reactions have different paths, such as epics with their global ids for
// notes and their numbers for reactions, have a Mount for each.
//
// Run may be nil: the texts of the thing's notes then have no quick actions. Place may be nil:
// notes then have no positions, and a position that is given is ignored.
package api
