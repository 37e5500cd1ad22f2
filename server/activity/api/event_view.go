package api

import (
	"time"

	"hew/server/activity"
	"hew/server/view"
)

// eventView is an event as answers show it (more §4).
type eventView struct {
	ID             int64           `json:"id"`
	ProjectID      *int64          `json:"project_id"`
	ActionName     string          `json:"action_name"`
	TargetID       *int64          `json:"target_id"`
	TargetIID      *int            `json:"target_iid"`
	TargetType     *string         `json:"target_type"`
	AuthorID       int64           `json:"author_id"`
	TargetTitle    *string         `json:"target_title"`
	CreatedAt      time.Time       `json:"created_at"`
	Note           *noteView       `json:"note,omitempty"`
	Page           *activity.Page  `json:"wiki_page,omitempty"`
	Author         *view.BasicUser `json:"author"`
	Imported       bool            `json:"imported"` // false: no import brings events along
	ImportedFrom   string          `json:"imported_from"`
	Push           *activity.Push  `json:"push_data,omitempty"`
	AuthorUsername string          `json:"author_username"`
}

// noteView is a note as events show it.
type noteView struct {
	ID           int64           `json:"id"`
	Type         *string         `json:"type"`
	Body         string          `json:"body"`
	Attachment   *string         `json:"attachment"` // null: uploads are links in the body
	Author       *view.BasicUser `json:"author"`
	CreatedAt    time.Time       `json:"created_at"`
	UpdatedAt    time.Time       `json:"updated_at"`
	System       bool            `json:"system"`
	NoteableID   *int64          `json:"noteable_id"`
	NoteableType string          `json:"noteable_type"`
	ProjectID    *int64          `json:"project_id"`
	CommitID     *string         `json:"commit_id,omitempty"`
	Resolvable   bool            `json:"resolvable"`
	Confidential bool            `json:"confidential"`
	Internal     bool            `json:"internal"`
	NoteableIID  *int            `json:"noteable_iid"`
}

func (a events) view(e activity.Event) eventView {
	v := eventView{
		ID: e.ID, ProjectID: e.ProjectID, ActionName: actionName(e), TargetID: e.TargetID, TargetIID: e.TargetIID,
		TargetType: e.TargetType, AuthorID: e.AuthorID, TargetTitle: e.TargetTitle, CreatedAt: e.CreatedAt,
		Page:   e.Page,
		Author: a.Author(e.Author), ImportedFrom: "none", Push: e.Push,
	}
	if e.Author != nil {
		v.AuthorUsername = e.Author.Username
	}
	if n := e.Note; n != nil {
		v.Note = &noteView{
			ID: n.ID, Type: n.Type, Body: n.Body, Author: a.Author(n.Author), CreatedAt: n.CreatedAt,
			UpdatedAt: n.UpdatedAt, System: n.System, NoteableID: n.NoteableID, NoteableType: n.Kind,
			ProjectID: e.ProjectID, CommitID: n.CommitID, Resolvable: n.Resolvable, Confidential: n.Internal,
			Internal: n.Internal, NoteableIID: n.NoteableIID,
		}
	}
	return v
}

// pushNames are the names of pushes by what became of the ref.
var pushNames = map[string]string{"created": "pushed new", "removed": "deleted", "pushed": "pushed to"}

// actionNames are the names of actions that differ from those of filters.
var actionNames = map[activity.Action]string{
	activity.Created: "opened", activity.Updated: "opened", activity.Reopened: "opened",
	activity.Merged:    "accepted",
	activity.Commented: "commented on", activity.Expired: "removed due to membership expiration from",
}

// actionName returns what an event shows of its action.
func actionName(e activity.Event) string {
	switch {
	case e.Push != nil:
		return pushNames[e.Push.Action]
	case e.Page != nil, e.TargetType == nil && e.Action == activity.Created: // a page of a wiki, a project
		return string(e.Action)
	}
	if name, ok := actionNames[e.Action]; ok {
		return name
	}
	return string(e.Action)
}
