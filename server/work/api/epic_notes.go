package api

import (
	"context"
	"slices"

	"hew/server/note"
	noteapi "hew/server/note/api"
	"hew/server/policy"
	"hew/server/quick"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// epicCommands are the quick actions that epics know.
var epicCommands = quick.For(quick.All, quick.Epic)

// epicNoteRoutes serves the notes of epics and their discussions below the id of the epic, and
// reactions to both below its number (gaps §6.2, more §3).
func epicNoteRoutes(site *view.Site) []rest.Route {
	notes := noteapi.Mount[InEpic]{
		Site: site, Path: "/groups/{id}/epics/{epic_id}", Read: ForEpicByID(readEpic), Write: ForEpicByID(createEpicNote),
		On: InEpic.notes, Commands: epicCommands,
		Run: func(ctx context.Context, s InEpic, actions noteapi.Actions) (note.Outcome, error) {
			by := epicActor(site, s.InGroup, s.Epic.IsAuthor(s.Caller.ID()))
			return work.NewEpicRun(s.Group.Group, by, actions.Calls, actions.NoteID).Run(ctx, s.Store, s.Epic)
		},
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
			Internal: who.Admin || who.Level >= policy.Planner, Sees: ViewerOf(s.Anyone).SeesAbout,
		},
		Moderates: s.Can(adminEpicNote), Dates: s.Can(deleteEpic), Locked: locked && !member,
	}
}

// epicActor returns the caller as who runs quick actions on an epic of the group. Author says that
// the caller is its author.
func epicActor(site *view.Site, s scope.InGroup, author bool) work.Actor {
	return work.Actor{
		User: s.Caller.User, Viewer: ViewerOf(s.Anyone), Base: site.Base, Admin: s.Can(adminEpic),
		Edits: s.Can(createEpicNote) && author, Reacts: s.Can(awardEpicEmoji),
	}
}

// commandsOf takes the quick actions out of the description that a request gives, and returns their
// run.
func (in *epicFields) commandsOf(site *view.Site, s scope.InGroup) *work.CommandRun[work.Epic] {
	calls := CutCommands(&in.Description, epicCommands)
	return work.NewEpicRun(s.Group.Group, epicActor(site, s, true), calls, 0)
}
