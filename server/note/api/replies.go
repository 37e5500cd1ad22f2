package api

import (
	"context"
	"time"

	"hew/server/fault"
	"hew/server/note"
	"hew/server/rest"
)

// replies lists the notes of a discussion.
func (m Mount[S]) replies(ctx context.Context, s S, in discussionID) ([]View, error) {
	on := m.On(s)
	d, err := m.findDiscussion(ctx, on, in.ID)
	if err != nil {
		return nil, notesNotFound(err)
	}
	return m.viewDiscussion(on, d).Notes, nil
}

// notesNotFound returns the fault of a discussion or note that is not found, as the routes of notes
// of discussions call it.
func notesNotFound(err error) error {
	if fault.CodeOf(err) == fault.CodeNotFound {
		return fault.NotFound("Notes")
	}
	return err
}

type replyNew struct {
	discussionID
	Body      string              `param:"body,required"`
	CreatedAt rest.Opt[time.Time] `param:"created_at"`
}

func (m Mount[S]) reply(ctx context.Context, s S, in replyNew) (rest.Raw, error) {
	d, err := m.findDiscussion(ctx, m.On(s), in.ID)
	if err != nil {
		return nil, err
	}
	return m.write(ctx, s, text{body: in.Body}, func(on On, body string) (note.Note, error) {
		return note.Reply(ctx, on.Store, on.Target, d, on.new(body, in.CreatedAt))
	}, showNote)
}

type replyID struct {
	discussionID
	NoteID int64 `param:"note_id"`
}

// findReply returns a note of a discussion that the caller sees.
func (m Mount[S]) findReply(ctx context.Context, on On, in replyID) (note.Note, error) {
	d, err := m.findDiscussion(ctx, on, in.ID)
	if err != nil {
		return note.Note{}, notesNotFound(err)
	}
	for _, n := range d.Notes {
		if n.ID == in.NoteID {
			return n, nil
		}
	}
	return note.Note{}, fault.NotFound("Notes")
}

func (m Mount[S]) showReply(ctx context.Context, s S, in replyID) (View, error) {
	on := m.On(s)
	n, err := m.findReply(ctx, on, in)
	return on.show(m.Site, n), err
}

type replyChange struct {
	replyID
	Body     rest.Opt[string] `param:"body"`
	Resolved rest.Opt[bool]   `param:"resolved"`
	_        struct{}         `exactly:"body resolved"`
}

func (m Mount[S]) changeReply(ctx context.Context, s S, in replyChange) (View, error) {
	on := m.On(s)
	n, err := m.findReply(ctx, on, in.replyID)
	switch {
	case err != nil:
		return View{}, err
	case in.Body.Given():
		return m.edit(ctx, on, n, in.Body.Or(""))
	case !n.Resolvable:
		return View{}, fault.BadRequest("Note is not resolvable")
	}
	on.Resolves = on.Resolves || n.IsAuthor(on.Caller.ID())
	if err := on.resolves(); err != nil {
		return View{}, err
	}
	err = note.ResolveNote(ctx, on.Store, on.Target, on.Caller.ID(), in.Resolved.Or(false), n.ID)
	if err != nil {
		return View{}, err
	}
	n, err = m.findReply(ctx, on, in.replyID)
	return on.show(m.Site, n), err
}

func (m Mount[S]) deleteReply(ctx context.Context, s S, in replyID) (rest.None, error) {
	on := m.On(s)
	n, err := m.findReply(ctx, on, in)
	if err != nil {
		return rest.None{}, err
	}
	return m.remove(ctx, on, n)
}
