package api

import (
	"hew/server/note"
	noteapi "hew/server/note/api"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// noteRoutes serves the notes of merge requests, their discussions, and reactions to both (more §2,
// §3).
func (a requests) noteRoutes() []rest.Route {
	m := a.mount()
	return append(append(m.Notes(), m.Discussions()...), append(m.Awards(), m.NoteAwards()...)...)
}

// mount returns how notes are served below merge requests.
func (a requests) mount() noteapi.Mount[InRequest] {
	return noteapi.Mount[InRequest]{
		Site: a.Site, Path: "/projects/{id}/merge_requests/{merge_request_iid}",
		Read: ForRequest(policy.ReadMergeRequest), Write: ForRequest(createNote), Award: ForRequest(awardEmoji),
		On: InRequest.notes, Place: placeInRequest, Commands: requestCommands, Run: a.runCommands,
	}
}

// notes returns what the scope means for the notes of the merge request.
func (s InRequest) notes() noteapi.On {
	who := s.Who()
	member := who.Admin || who.Level >= policy.Guest
	locked := s.Request.DiscussionLocked != nil && *s.Request.DiscussionLocked
	return noteapi.On{
		Anyone: s.Anyone, Target: s.Request.Target(),
		Reader: note.Reader{
			Internal: who.Admin || who.Level >= policy.Planner, Sees: workapi.ViewerOf(s.Anyone).SeesAbout,
		},
		HidesCode: !s.Can(policy.ReadCode),
		Moderates: s.Can(adminNote), Dates: s.Can(deleteRequest), Locked: locked && !member,
		Resolves: s.Can(adminRequest) || s.Request.IsAuthor(s.Caller.ID()),
	}
}

// eventFields are the fields whose events are served (more §4).
var eventFields = []string{work.LabelField, work.StateField, work.MilestoneField}

// eventRoutes returns the routes of what happened to the fields of merge requests.
func eventRoutes(site *view.Site) (routes []rest.Route) {
	const path = "/projects/{id}/merge_requests/{merge_request_iid}"
	for _, field := range eventFields {
		read := ForRequest(policy.ReadMergeRequest)
		routes = append(routes, workapi.EventsAt(site, path, field, read, InRequest.events)...)
	}
	return routes
}

func (s InRequest) events() workapi.EventScope {
	return workapi.EventScope{Anyone: scope.Anyone(s.Anyone), On: s.Request.Target()}
}
