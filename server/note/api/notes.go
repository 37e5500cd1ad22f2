package api

import (
	"context"
	"net/http"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/rest"
	"hew/server/scope"
)

type noteList struct {
	rest.Paging
	Order    string        `param:"order_by" default:"created_at" oneof:"created_at updated_at"`
	Sort     string        `param:"sort" default:"desc" oneof:"asc desc"`
	Activity note.Activity `param:"activity_filter" default:"all_notes" oneof:"all_notes only_comments only_activity"`
}

func (m Mount[S]) list(ctx context.Context, s S, in noteList) (rest.List[View], error) {
	on := m.On(s)
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.Order, in.Sort == "desc"
	show := func(n note.Note) View { return on.show(m.Site, n) }
	return rest.Pages(show)(note.Notes(on.Store, on.Target, on.Reader).List(ctx, page, note.Showing(in.Activity)))
}

type noteID struct {
	ID int64 `param:"note_id"`
}

// find returns a note of the thing that the caller sees.
func (m Mount[S]) find(ctx context.Context, on On, id int64) (note.Note, error) {
	return note.Notes(on.Store, on.Target, on.Reader).One(ctx, db.ByID(id))
}

func (m Mount[S]) show(ctx context.Context, s S, in noteID) (View, error) {
	on := m.On(s)
	n, err := m.find(ctx, on, in.ID)
	return on.show(m.Site, n), err
}

// secrecy says whether a note that begins a thread is internal.
type secrecy struct {
	Internal     rest.Opt[bool] `param:"internal"`
	Confidential rest.Opt[bool] `param:"confidential"` // an older name of internal
}

// on returns whether the note is internal. It refuses callers who may not write internal notes: a
// note that was meant for few must not be shown to all.
func (in secrecy) on(on On) (bool, error) {
	internal := in.Internal.Or(in.Confidential.Or(false))
	switch {
	case internal && on.Target.Kind == note.Commit:
		return false, fault.BadRequest("Notes on commits cannot be internal")
	case internal && on.Target.Kind == note.MergeRequest:
		return false, fault.BadRequest("Notes on merge requests cannot be internal")
	case internal && !on.Reader.Internal:
		return false, fault.Forbidden("Only planners and higher roles write internal notes")
	}
	return internal, nil
}

type noteNew struct {
	Body      string              `param:"body,required"`
	CreatedAt rest.Opt[time.Time] `param:"created_at"`
	Head      string              `param:"merge_request_diff_head_sha"` // that /merge is for
	secrecy
}

func (m Mount[S]) create(ctx context.Context, s S, in noteNew) (rest.Raw, error) {
	internal, err := in.secrecy.on(m.On(s))
	if err != nil {
		return nil, err
	}
	return m.write(ctx, s, text{in.Body, in.Head}, func(on On, body string) (note.Note, error) {
		n := on.new(body, in.CreatedAt)
		n.Internal = internal
		return note.Create(ctx, on.Store, on.Target, n)
	}, showNote)
}

// showNote shows a note by itself.
func showNote(_ note.Note, v View) any { return v }

// new returns a note of the caller that is to be written.
func (o On) new(body string, at rest.Opt[time.Time]) note.New {
	n := note.New{By: o.Caller.User, Body: body}
	if t, ok := at.Value(); ok && o.Dates {
		n.CreatedAt = &t
	}
	return n
}

// onlyCommands is the answer about a text that has nothing but quick actions.
type onlyCommands struct {
	CommandsChanges map[string]any `json:"commands_changes"`
	Summary         []string       `json:"summary"`
}

// OnlyCommands answers a text that has only quick actions: with 202, or with 400 if none of them
// could be run (more §5).
func OnlyCommands(out note.Outcome, err error) (rest.Raw, error) {
	switch {
	case err != nil:
		return nil, err
	case !out.Ran:
		return nil, fault.BadRequest(out.Summary())
	}
	return rest.JSON(http.StatusAccepted, onlyCommands{changesOf(out), []string{out.Summary()}}), nil
}

// text is what a request has written.
type text struct {
	body string
	head string // of a merge request, as the writer has seen it
}

// written is what became of a text.
type written struct {
	note    note.Note
	kept    bool // there is something beside quick actions
	acted   bool // there are quick actions
	outcome note.Outcome
}

// perform stores what is left of a text without its quick actions, unless that is nothing, and runs
// those.
func (m Mount[S]) perform(
	ctx context.Context, s S, t text, store func(on On, body string) (note.Note, error),
) (w written, err error) {
	on := m.On(s)
	if err := on.writes(); err != nil {
		return w, err
	}
	body, calls := t.body, []quick.Call(nil)
	if m.Run != nil && note.Wrong(body) == "" {
		body, calls = quick.Parse(body, m.Commands)
	}
	w.acted = len(calls) > 0
	if w.kept = body != "" || !w.acted; w.kept {
		if w.note, err = store(on, body); err != nil {
			return w, err
		}
	}
	if w.acted {
		w.outcome, err = m.Run(ctx, s, Actions{Calls: calls, NoteID: w.note.ID, Head: t.head})
	}
	return w, err
}

// write performs a text and answers with what show makes of the note, or as OnlyCommands does.
func (m Mount[S]) write(
	ctx context.Context, s S, t text, store func(on On, body string) (note.Note, error),
	show func(note.Note, View) any,
) (rest.Raw, error) {
	w, err := m.perform(ctx, s, t, store)
	switch {
	case err != nil:
		return nil, err
	case !w.kept:
		return OnlyCommands(w.outcome, nil)
	}
	v := m.On(s).show(m.Site, w.note)
	if w.acted {
		v.CommandsChanges = changesOf(w.outcome)
	}
	return rest.JSON(http.StatusCreated, show(w.note, v)), nil
}

// Say does with a text what writing a note does: it stores what is left of it without its quick
// actions, and runs those. That none of them could be run is no error.
func (m Mount[S]) Say(
	ctx context.Context, s S, body string, store func(On, note.New) (note.Note, error),
) error {
	_, err := m.perform(ctx, s, text{body: body}, func(on On, body string) (note.Note, error) {
		return store(on, on.new(body, rest.Opt[time.Time]{}))
	})
	return err
}

// changesOf returns the changes of commands, which are never null.
func changesOf(o note.Outcome) map[string]any {
	if o.Changes == nil {
		return map[string]any{}
	}
	return o.Changes
}

type noteChange struct {
	noteID
	Body string `param:"body,required"`
}

func (m Mount[S]) change(ctx context.Context, s S, in noteChange) (View, error) {
	on := m.On(s)
	n, err := m.find(ctx, on, in.ID)
	if err != nil {
		return View{}, err
	}
	return m.edit(ctx, on, n, in.Body)
}

// edit gives a note another body. Quick actions in it are text: they run when a note is written.
func (m Mount[S]) edit(ctx context.Context, on On, n note.Note, body string) (View, error) {
	if err := on.changes(n); err != nil {
		return View{}, err
	}
	n, err := note.Change(ctx, on.Store, on.Target, on.Caller.User, n.ID, body)
	return on.show(m.Site, n), err
}

func (m Mount[S]) delete(ctx context.Context, s S, in noteID) (rest.None, error) {
	on := m.On(s)
	n, err := m.find(ctx, on, in.ID)
	if err != nil {
		return rest.None{}, err
	}
	return m.remove(ctx, on, n)
}

func (m Mount[S]) remove(ctx context.Context, on On, n note.Note) (rest.None, error) {
	if err := on.changes(n); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, note.Delete(ctx, on.Store, on.Target, on.Caller.User, n, rest.Unmodified)
}
