package api

import (
	"context"

	"hew/server/note"
	"hew/server/rest"
)

type noteAwardList struct {
	NoteID int64 `param:"note_id"`
	rest.Paging
}

type noteAwardID struct {
	NoteID int64 `param:"note_id"`
	ID     int64 `param:"note_award_id"`
}

type noteAwardNew struct {
	NoteID int64  `param:"note_id"`
	Name   string `param:"name,required"`
}

// awardable returns a note of the thing as what the caller reacts to.
func (m Mount[S]) awardable(ctx context.Context, on On, noteID int64) (note.Awardable, error) {
	n, err := m.find(ctx, on, noteID)
	return note.Awardable{Target: on.Target, Note: &n}, err
}

func (m Mount[S]) noteAwards(ctx context.Context, s S, in noteAwardList) (rest.List[awardView], error) {
	on := m.On(s)
	of, err := m.awardable(ctx, on, in.NoteID)
	if err != nil {
		return rest.List[awardView]{}, err
	}
	return m.listAwards(ctx, on, of, in.Paging)
}

func (m Mount[S]) showNoteAward(ctx context.Context, s S, in noteAwardID) (awardView, error) {
	on := m.On(s)
	of, err := m.awardable(ctx, on, in.NoteID)
	if err != nil {
		return awardView{}, err
	}
	return m.oneAward(ctx, on, of, in.ID)
}

func (m Mount[S]) awardNote(ctx context.Context, s S, in noteAwardNew) (awardView, error) {
	on := m.On(s)
	to, err := m.awardable(ctx, on, in.NoteID)
	if err != nil {
		return awardView{}, err
	}
	return m.react(ctx, on, to, in.Name)
}

func (m Mount[S]) unawardNote(ctx context.Context, s S, in noteAwardID) (rest.None, error) {
	on := m.On(s)
	of, err := m.awardable(ctx, on, in.NoteID)
	if err != nil {
		return rest.None{}, err
	}
	return m.takeBack(ctx, on, of, in.ID)
}
