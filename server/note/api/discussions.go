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
	show := func(d note.Discussion) discussionView { return m.viewDiscussion(on.Target, d) }
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
	return m.viewDiscussion(on.Target, d), nil
}

type discussionNew struct {
	Body      string                  `param:"body,required"`
	CreatedAt rest.Opt[time.Time]     `param:"created_at"`
	Position  rest.Opt[positionInput] `param:"position"`
	secrecy
}

func (m Mount[S]) begin(ctx context.Context, s S, in discussionNew) (rest.Raw, error) {
	internal, err := in.secrecy.on(m.On(s))
	if err != nil {
		return nil, err
	}
	return m.write(ctx, s, in.Body, func(on On, body string) (note.Note, error) {
		n := on.new(body, in.CreatedAt)
		n.Thread, n.Internal = true, internal
		if given, ok := in.Position.Value(); ok && m.Place != nil {
			p, err := m.Place(ctx, s, given.position())
			if err != nil {
				return note.Note{}, err
			}
			n.Position = &p
		}
		return note.Create(ctx, on.Store, on.Target, n)
	}, func(n note.Note, v View) any { return discussionView{ID: n.DiscussionID, Notes: []View{v}} })
}

type discussionResolve struct {
	discussionID
	Resolved bool `param:"resolved,required"`
}

// resolve refuses to resolve a discussion: only those of merge requests can be.
func (m Mount[S]) resolve(ctx context.Context, s S, in discussionResolve) (discussionView, error) {
	if _, err := m.findDiscussion(ctx, m.On(s), in.ID); err != nil {
		return discussionView{}, err
	}
	return discussionView{}, fault.Forbidden("")
}
