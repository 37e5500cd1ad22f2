package api

import (
	"slices"

	"hew/server/note"
	noteapi "hew/server/note/api"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/view"
)

// epicNoteRoutes serves the notes of epics and their discussions below the id of the epic, and
// reactions to both below its number (gaps §6.2, more §3).
func epicNoteRoutes(site *view.Site) []rest.Route {
	notes := noteapi.Mount[InEpic]{
		Site: site, Path: "/groups/{id}/epics/{epic_id}", Read: ForEpicByID(readEpic), Write: ForEpicByID(createEpicNote),
		On: InEpic.notes,
	}
	awards := noteapi.Mount[InEpic]{
		Site: site, Path: "/groups/{id}/epics/{epic_iid}", Read: ForEpic(readEpic), Award: ForEpic(awardEpicEmoji),
		On: InEpic.notes,
	}
	return slices.Concat(notes.Notes(), notes.Discussions(), awards.Awards(), awards.NoteAwards())
}

// notes returns what the scope means for the notes of the epic.
func (s InEpic) notes() noteapi.On {
	who := s.Who()
	member := who.Admin || who.Level >= policy.Guest
	locked := s.Epic.DiscussionLocked != nil && *s.Epic.DiscussionLocked
	return noteapi.On{
		Anyone: s.Anyone, Target: s.Epic.Target(),
		Reader: note.Reader{
			Internal: who.Admin || who.Level >= policy.Planner, Sees: viewerOf(s.Anyone).SeesAbout,
		},
		Moderates: s.Can(adminEpicNote), Dates: s.Can(deleteEpic), Locked: locked && !member,
	}
}
