package api

import (
	"context"
	"time"

	"hew/server/fault"
	"hew/server/note"
	"hew/server/rest"
	"hew/server/scope"
)

type discussionList struct{ rest.Paging }

func (m Mount[S]) discussions(ctx context.Context, s S, in discussionList) (rest.List[discussionView], error) {
	on := m.On(s)
	show := func(d note.Discussion) discussionView { return m.viewDiscussion(on, d) }
	return rest.Pages(show)(note.Discussions(ctx, on.Store, on.Target, on.Reader, scope.PageOf(in.Paging)))
}

type discussionID struct {
	ID string `param:"discussion_id"`
}

// findDiscussion returns a discussion of the thing that the caller sees.
func (m Mount[S]) findDiscussion(ctx context.Context, on On, id string) (note.Discussion, error) {
	d, ok, err := note.FindDiscussion(ctx, on.Store, on.Target, on.Reader, id)
	if err == nil && !ok {
		err = fault.NotFound("Discussion")
	}
	return d, err
}

func (m Mount[S]) discussion(ctx context.Context, s S, in discussionID) (discussionView, error) {
	on := m.On(s)
	d, err := m.findDiscussion(ctx, on, in.ID)
	if err != nil {
		return discussionView{}, err
	}
	return m.viewDiscussion(on, d), nil
}

type discussionNew struct {
	Body      string                  `param:"body,required"`
	CreatedAt rest.Opt[time.Time]     `param:"created_at"`
	Position  rest.Opt[PositionInput] `param:"position"`
	CommitID  string                  `param:"commit_id"` // of a merge request
	secrecy
}

func (m Mount[S]) begin(ctx context.Context, s S, in discussionNew) (rest.Raw, error) {
	internal, err := in.secrecy.on(m.On(s))
	if err != nil {
		return nil, err
	}
	return m.write(ctx, s, text{body: in.Body}, func(on On, body string) (note.Note, error) {
		n := on.new(body, in.CreatedAt)
		n.Thread, n.Internal = true, internal
		if err := m.place(ctx, s, in, &n); err != nil {
			return note.Note{}, err
		}
		return note.Create(ctx, on.Store, on.Target, n)
	}, func(n note.Note, v View) any { return discussionView{ID: n.DiscussionID, Notes: []View{v}} })
}

// place puts a note where a request says, if the notes of the thing have places.
func (m Mount[S]) place(ctx context.Context, s S, in discussionNew, n *note.New) error {
	at := Place{CommitID: in.CommitID}
	if given, ok := in.Position.Value(); ok {
		at.Position = new(given.Position())
	}
	if m.Place == nil || at == (Place{}) {
		return nil
	}
	return m.Place(ctx, s, at, n)
}

type discussionResolve struct {
	discussionID
	Resolved bool `param:"resolved,required"`
}

// resolve resolves a discussion or opens it again. Only those of merge requests can be.
func (m Mount[S]) resolve(ctx context.Context, s S, in discussionResolve) (discussionView, error) {
	on := m.On(s)
	d, err := m.findDiscussion(ctx, on, in.ID)
	if err != nil {
		return discussionView{}, err
	}
	if !d.Resolvable() {
		return discussionView{}, fault.Forbidden("")
	}
	if err := on.resolves(); err != nil {
		return discussionView{}, err
	}
	if err := note.Resolve(ctx, on.Store, on.Target, on.Caller.ID(), in.Resolved, d.ID); err != nil {
		return discussionView{}, err
	}
	d, err = m.findDiscussion(ctx, on, in.ID)
	return m.viewDiscussion(on, d), err
}
