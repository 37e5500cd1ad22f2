package api

import (
	"context"

	"hew/server/fault"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/view"
)

// On is what a scope means for the notes of its thing: what they are on, and what the caller may
// do.
type On struct {
	scope.Anyone
	Target    note.Target
	Reader    note.Reader // which notes the caller sees; with Internal they may write internal ones, too
	Moderates bool        // the caller may change and delete the notes of others
	Dates     bool        // the caller may say when a note was written
	Resolves  bool        // the caller may resolve the threads of others
	HidesCode bool        // the caller does not read the code that suggestions replace
	Locked    bool        // the discussion is locked, and the caller is not one of those who may go on
}

// Mount serves the notes of one kind of thing. S is the scope of its routes.
type Mount[S any] struct {
	*view.Site
	Path               string // of the thing: "/projects/{id}/issues/{issue_iid}"
	Read, Write, Award rest.Guard[S]
	On                 func(S) On

	Commands []quick.Command // that notes of the thing may hold
	// Run runs the quick actions of a note.
	Run func(ctx context.Context, s S, a Actions) (note.Outcome, error)
	// Place checks where a request puts a note, and completes it in the note.
	Place func(ctx context.Context, s S, at Place, n *note.New) error
}

// Actions are the quick actions of a note.
type Actions struct {
	Calls  []quick.Call
	NoteID int64  // 0 if the note has nothing else and is not kept
	Head   string // of a merge request, as the writer has seen it; "": any
}

// Place is where a request puts a note of a diff.
type Place struct {
	Position *note.Position // nil: on no line
	CommitID string         // of a merge request; "": none of its commits alone
}

// Notes returns the routes of notes.
func (m Mount[S]) Notes() []rest.Route {
	path, one := m.Path+"/notes", m.Path+"/notes/{note_id}"
	return []rest.Route{
		rest.Get(path, m.Read, m.list),
		rest.Post(path, scope.Limited(setting.NotesCreated, m.Write), m.create),
		rest.Get(one, m.Read, m.show),
		rest.Put(one, m.Write, m.change),
		rest.Delete(one, m.Write, m.delete),
	}
}

// Discussions returns the routes of discussions.
func (m Mount[S]) Discussions() []rest.Route {
	path, one := m.Path+"/discussions", m.Path+"/discussions/{discussion_id}"
	notes, single := one+"/notes", one+"/notes/{note_id}"
	return []rest.Route{
		rest.Get(path, m.Read, m.discussions),
		rest.Post(path, scope.Limited(setting.NotesCreated, m.Write), m.begin),
		rest.Get(one, m.Read, m.discussion),
		rest.Put(one, m.Write, m.resolve),
		rest.Get(notes, m.Read, m.replies),
		rest.Post(notes, scope.Limited(setting.NotesCreated, m.Write), m.reply),
		rest.Get(single, m.Read, m.showReply),
		rest.Put(single, m.Write, m.changeReply),
		rest.Delete(single, m.Write, m.deleteReply),
	}
}

// Awards returns the routes of reactions to the thing.
func (m Mount[S]) Awards() []rest.Route {
	path, one := m.Path+"/award_emoji", m.Path+"/award_emoji/{award_id}"
	return []rest.Route{
		rest.Get(path, m.Read, m.awards),
		rest.Post(path, m.Award, m.award),
		rest.Get(one, m.Read, m.showAward),
		rest.Delete(one, m.Award, m.unaward),
	}
}

// NoteAwards returns the routes of reactions to notes of the thing.
func (m Mount[S]) NoteAwards() []rest.Route {
	path, one := m.Path+"/notes/{note_id}/award_emoji", m.Path+"/notes/{note_id}/award_emoji/{note_award_id}"
	return []rest.Route{
		rest.Get(path, m.Read, m.noteAwards),
		rest.Post(path, m.Award, m.awardNote),
		rest.Get(one, m.Read, m.showNoteAward),
		rest.Delete(one, m.Award, m.unawardNote),
	}
}

// show returns a note as answers show it to the caller.
func (o On) show(site *view.Site, n note.Note) View {
	v := ViewNote(site, o.Target, n)
	if o.HidesCode && v.Suggestions != nil {
		v.Suggestions = &[]suggestion{}
	}
	return v
}

// writes returns nil if the caller may write into the discussion.
func (o On) writes() error {
	if o.Locked {
		return fault.Forbidden("")
	}
	return nil
}

// resolves returns nil if the caller may resolve threads.
func (o On) resolves() error {
	if !o.Resolves {
		return fault.Forbidden("")
	}
	return o.writes()
}

// changes returns nil if the caller may change or delete a note.
func (o On) changes(n note.Note) error {
	if n.System || !o.Moderates && !n.IsAuthor(o.Caller.ID()) {
		return fault.Forbidden("")
	}
	return o.writes()
}
