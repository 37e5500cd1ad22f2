package api

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/note"
	noteapi "hew/server/note/api"
	"hew/server/quick"
	"hew/server/rest"
)

func (a draftNotes) publish(ctx context.Context, s InRequest, in draftID) (rest.None, error) {
	d, err := merge.LockDraftNote(ctx, s.Store, s.Request, s.Caller.ID(), in.ID)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, a.publishThese(ctx, s, []merge.DraftNote{d})
}

func (a draftNotes) bulkPublish(ctx context.Context, s InRequest, _ rest.None) (rest.None, error) {
	return rest.None{}, a.publishAll(ctx, s)
}

// publishAll makes notes of all drafts of the caller.
func (a draftNotes) publishAll(ctx context.Context, s InRequest) error {
	list, err := merge.AllDraftNotes(ctx, s.Store, s.Request, s.Caller.ID())
	if err != nil {
		return err
	}
	return a.publishThese(ctx, s, list)
}

// publishThese makes notes of drafts, in their order. That is a review.
func (a draftNotes) publishThese(ctx context.Context, s InRequest, list []merge.DraftNote) error {
	s.publishing = true
	if err := a.hold(ctx, s, list); err != nil {
		return err
	}
	ids := make([]int64, len(list))
	for n, d := range list {
		ids[n] = d.ID
		if err := a.publishOne(ctx, s, d); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return nil
	}
	if err := merge.DeleteDraftNotes(ctx, s.Store, ids...); err != nil {
		return err
	}
	return merge.MarkReviewed(ctx, s.Store, s.Request, s.Caller.ID())
}

// hold locks the branches if the quick actions of a draft merge them.
func (a draftNotes) hold(ctx context.Context, s InRequest, list []merge.DraftNote) error {
	c := a.commander(s.InProject, s.isInvolved())
	for _, d := range list {
		_, calls := quick.Parse(d.Body, requestCommands)
		if err := c.Hold(ctx, s.Store, s.Request, c.NewRun(calls, 0)); err != nil {
			return err
		}
	}
	return nil
}

// publishOne makes a note of a draft and runs the quick actions in it.
func (a draftNotes) publishOne(ctx context.Context, s InRequest, d merge.DraftNote) error {
	m := a.mount()
	if d.Discussion == nil {
		return m.Say(ctx, s, d.Body, func(on noteapi.On, n note.New) (note.Note, error) {
			n.Thread = d.Position != nil || len(d.CommitOID) > 0
			if err := s.placeDraft(ctx, d, &n); err != nil {
				return note.Note{}, err
			}
			return note.Create(ctx, on.Store, on.Target, n)
		})
	}
	thread, err := s.thread(ctx, *d.Discussion)
	if fault.CodeOf(err) == fault.CodeNotFound { // it was deleted: the text begins a thread of its own
		d.Discussion = nil
		return a.publishOne(ctx, s, d)
	}
	if err != nil {
		return err
	}
	err = m.Say(ctx, s, d.Body, func(on noteapi.On, n note.New) (note.Note, error) {
		return note.Reply(ctx, on.Store, on.Target, thread, n)
	})
	if err != nil || !d.Resolve || !s.notes().Resolves {
		return err
	}
	return note.Resolve(ctx, s.Store, s.Request.Target(), s.Caller.ID(), true, thread.ID)
}

// placeDraft puts the note of a draft where that was written.
func (s InRequest) placeDraft(ctx context.Context, d merge.DraftNote, n *note.New) error {
	at := noteapi.Place{}
	if len(d.CommitOID) > 0 {
		at.CommitID = hex.EncodeToString(d.CommitOID)
	}
	if d.Position != nil {
		at.Position = &note.Position{}
		if err := json.Unmarshal(d.Position, at.Position); err != nil {
			return err
		}
	}
	if at == (noteapi.Place{}) {
		return nil
	}
	return placeInRequest(ctx, s, at, n)
}

// placeInRequest checks where a note is to be and completes it.
func placeInRequest(ctx context.Context, s InRequest, at noteapi.Place, n *note.New) error {
	placed, err := s.placed(ctx, at)
	n.Position, n.Original, n.CommitOID = placed.Now, placed.Original, placed.Commit
	return err
}

// place checks a position that a request gives.
func (s InRequest) place(
	ctx context.Context, given rest.Opt[noteapi.PositionInput], commit string,
) (merge.Placed, error) {
	at := noteapi.Place{CommitID: commit}
	if p, ok := given.Value(); ok {
		at.Position = new(p.Position())
	}
	return s.placed(ctx, at)
}

func (s InRequest) placed(ctx context.Context, at noteapi.Place) (merge.Placed, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return merge.Placed{}, err
	}
	return merge.PlaceNote(ctx, s.Store, g, s.Request, at.Position, at.CommitID)
}

// thread returns a discussion of the merge request that the caller sees.
func (s InRequest) thread(ctx context.Context, id string) (note.Discussion, error) {
	on := s.notes()
	d, ok, err := note.FindDiscussion(ctx, on.Store, on.Target, on.Reader, id)
	if err == nil && !ok {
		err = fault.NotFound("Discussion")
	}
	return d, err
}
