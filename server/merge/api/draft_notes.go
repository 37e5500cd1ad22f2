package api

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"hew/server/fault"
	"hew/server/merge"
	noteapi "hew/server/note/api"
	"hew/server/rest"
	"hew/server/scope"
)

// draftNotes serves the notes of reviews that are not published yet (more §2.2). Callers see their
// own ones alone.
type draftNotes struct{ requests }

func (a draftNotes) routes() []rest.Route {
	const path = "/projects/{id}/merge_requests/{merge_request_iid}/draft_notes"
	const one = path + "/{draft_note_id}"
	write := forWriter()
	return []rest.Route{
		rest.Get(path, write, a.list),
		rest.Post(path, write, a.create),
		rest.Get(one, write, a.show),
		rest.Put(one, write, a.change),
		rest.Delete(one, write, a.delete),
		rest.Put(one+"/publish", write, a.publish).Status(204),
		rest.Post(path+"/bulk_publish", write, a.bulkPublish).Status(204),
	}
}

// forWriter returns a guard that admits users who may write notes on the merge request. Nobody else
// has drafts.
func forWriter() rest.Guard[InRequest] {
	g := ForRequest(createNote)
	admit := g.Open
	g.Open = func(ctx context.Context, r *http.Request) (InRequest, error) {
		s, err := admit(ctx, r)
		if err == nil && !s.Caller.Signed() {
			err = fault.Unauthorized()
		}
		return s, err
	}
	return g
}

type draftView struct {
	ID         int64           `json:"id"`
	AuthorID   int64           `json:"author_id"`
	RequestID  int64           `json:"merge_request_id"`
	Resolve    bool            `json:"resolve_discussion"`
	Discussion *string         `json:"discussion_id"`
	Note       string          `json:"note"`
	CommitID   *string         `json:"commit_id"`
	LineCode   *string         `json:"line_code"`
	Position   json.RawMessage `json:"position"`
}

func viewDraft(d merge.DraftNote) draftView {
	v := draftView{
		ID: d.ID, AuthorID: d.AuthorID, RequestID: d.RequestID, Resolve: d.Resolve, Discussion: d.Discussion,
		Note: d.Body, LineCode: d.LineCode, Position: d.Position,
	}
	if len(d.CommitOID) > 0 {
		v.CommitID = new(hex.EncodeToString(d.CommitOID))
	}
	return v
}

type draftList struct{ rest.Paging }

func (draftNotes) list(ctx context.Context, s InRequest, in draftList) (rest.List[draftView], error) {
	return rest.Pages(viewDraft)(
		merge.DraftNotes(ctx, s.Store, s.Request, s.Caller.ID(), scope.PageOf(in.Paging)))
}

type draftID struct {
	ID int64 `param:"draft_note_id"`
}

func (in draftID) find(ctx context.Context, s InRequest) (merge.DraftNote, error) {
	return merge.FindDraftNote(ctx, s.Store, s.Request, s.Caller.ID(), in.ID)
}

func (draftNotes) show(ctx context.Context, s InRequest, in draftID) (draftView, error) {
	return rest.Show(viewDraft)(in.find(ctx, s))
}

type draftNew struct {
	Note       string                          `param:"note,required"`
	Discussion string                          `param:"in_reply_to_discussion_id"`
	CommitID   string                          `param:"commit_id"`
	Resolve    bool                            `param:"resolve_discussion"`
	Position   rest.Opt[noteapi.PositionInput] `param:"position"`
}

func (draftNotes) create(ctx context.Context, s InRequest, in draftNew) (draftView, error) {
	if s.notes().Locked {
		return draftView{}, fault.Forbidden("")
	}
	d := merge.DraftNote{AuthorID: s.Caller.ID(), Body: in.Note}
	if in.Discussion != "" {
		if _, err := s.thread(ctx, in.Discussion); err != nil {
			return draftView{}, err
		}
		d.Discussion, d.Resolve = &in.Discussion, in.Resolve
	} else {
		placed, err := s.place(ctx, in.Position, in.CommitID)
		if err != nil {
			return draftView{}, err
		}
		if err := d.Place(placed); err != nil {
			return draftView{}, err
		}
	}
	return rest.Show(viewDraft)(merge.CreateDraftNote(ctx, s.Store, s.Request, d))
}

type draftChange struct {
	draftID
	Note     rest.Opt[string]                `param:"note"`
	Position rest.Opt[noteapi.PositionInput] `param:"position"`
}

func (draftNotes) change(ctx context.Context, s InRequest, in draftChange) (draftView, error) {
	d, err := in.find(ctx, s)
	if err != nil {
		return draftView{}, err
	}
	if !in.Note.Given() && !in.Position.Given() {
		return draftView{}, fault.BadRequest("Missing params to modify")
	}
	d.Body = in.Note.Or(d.Body)
	if in.Position.Given() && d.Discussion == nil {
		placed, err := s.place(ctx, in.Position, "")
		if err != nil {
			return draftView{}, err
		}
		if err := d.Place(placed); err != nil {
			return draftView{}, err
		}
	}
	return rest.Show(viewDraft)(merge.ChangeDraftNote(ctx, s.Store, s.Request, d))
}

func (draftNotes) delete(ctx context.Context, s InRequest, in draftID) (rest.None, error) {
	d, err := in.find(ctx, s)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, merge.DeleteDraftNotes(ctx, s.Store, d.ID)
}
