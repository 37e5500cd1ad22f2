package api

import (
	"encoding/hex"
	"encoding/json"
	"time"

	"hew/server/note"
	"hew/server/view"
)

// View is a note as answers show it (spec 2 §2.3, more §2).
type View struct {
	ID              int64           `json:"id"`
	Type            *string         `json:"type"`
	Body            string          `json:"body"`
	Attachment      *string         `json:"attachment"` // always null
	Author          *view.BasicUser `json:"author"`
	CreatedAt       time.Time       `json:"created_at"`
	UpdatedAt       time.Time       `json:"updated_at"`
	System          bool            `json:"system"`
	NoteableID      *int64          `json:"noteable_id"`
	NoteableType    note.Kind       `json:"noteable_type"`
	ProjectID       *int64          `json:"project_id"`
	CommitID        *string         `json:"commit_id"`
	Position        json.RawMessage `json:"position,omitempty"`    // of a DiffNote
	Suggestions     *[]suggestion   `json:"suggestions,omitempty"` // of a DiffNote of a merge request
	Resolvable      bool            `json:"resolvable"`
	Resolved        *bool           `json:"resolved,omitempty"`    // these three if it is resolvable
	ResolvedBy      any             `json:"resolved_by,omitempty"` // a user or null
	ResolvedAt      any             `json:"resolved_at,omitempty"` // a time or null
	Confidential    bool            `json:"confidential"`
	Internal        bool            `json:"internal"`
	Imported        bool            `json:"imported"`
	ImportedFrom    string          `json:"imported_from"`
	NoteableIID     *int            `json:"noteable_iid"`
	CommandsChanges map[string]any  `json:"commands_changes"`
}

// ViewNote returns a note of a target as answers show it.
func ViewNote(site *view.Site, on note.Target, n note.Note) View {
	v := View{
		ID: n.ID, Type: n.Type, Body: n.Body, Author: site.Author(n.Author), CreatedAt: n.CreatedAt,
		UpdatedAt: n.UpdatedAt, System: n.System, NoteableType: on.Kind, ProjectID: n.ProjectID, Position: n.Position,
		Resolvable: n.Resolvable, Confidential: n.Internal, Internal: n.Internal, ImportedFrom: "none",
		CommandsChanges: map[string]any{},
	}
	if on.Kind == note.Commit {
		v.CommitID = new(hex.EncodeToString(on.OID))
		return v
	}
	v.NoteableID = &on.ID
	if on.Kind != note.Snippet { // which has no number
		v.NoteableIID = &on.IID
	}
	if len(n.CommitOfRequest) > 0 {
		v.CommitID = new(hex.EncodeToString(n.CommitOfRequest))
	}
	if on.Kind == note.MergeRequest && n.Position != nil {
		v.Suggestions = new(append([]suggestion{}, n.Suggestions...))
	}
	if n.Resolvable {
		v.Resolved = new(n.ResolvedAt != nil)
		v.ResolvedBy, v.ResolvedAt = orNull(site.Author(n.ResolvedBy)), orNull(n.ResolvedAt)
	}
	return v
}

// suggestion is a suggestion as answers show it.
type suggestion = note.Suggestion

// orNull returns a value that is shown as null if it is missing, and not left out.
func orNull[T any](value *T) any {
	if value == nil {
		return json.RawMessage("null")
	}
	return value
}

// discussionView is a discussion as answers show it.
type discussionView struct {
	ID         string `json:"id"`
	Individual bool   `json:"individual_note"`
	Notes      []View `json:"notes"`
}

func (m Mount[S]) viewDiscussion(on On, d note.Discussion) discussionView {
	v := discussionView{ID: d.ID, Individual: d.Individual()}
	for _, n := range d.Notes {
		v.Notes = append(v.Notes, on.show(m.Site, n))
	}
	return v
}

// awardView is a reaction as answers show it (more §3).
type awardView struct {
	ID            int64           `json:"id"`
	Name          string          `json:"name"`
	User          *view.BasicUser `json:"user"`
	CreatedAt     time.Time       `json:"created_at"`
	UpdatedAt     time.Time       `json:"updated_at"`
	AwardableID   int64           `json:"awardable_id"`
	AwardableType string          `json:"awardable_type"`
	URL           *string         `json:"url"` // of a custom emoji: always null
}

func (m Mount[S]) viewAward(on note.Awardable) func(note.Award) awardView {
	return func(a note.Award) awardView {
		return awardView{
			ID: a.ID, Name: a.Name, User: m.Author(a.User), CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
			AwardableID: on.ID(), AwardableType: on.Kind(),
		}
	}
}
