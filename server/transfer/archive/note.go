package archive

import (
	"encoding/json"
	"time"
)

// Note is a comment, or what the server says of a change.
type Note struct {
	Note               string              `json:"note"`
	NoteableType       string              `json:"noteable_type"` // Issue, MergeRequest, Commit, Snippet, Epic
	Type               *string             `json:"type"`          // DiscussionNote, DiffNote
	AuthorID           *int64              `json:"author_id"`
	Author             *Author             `json:"author"`
	System             bool                `json:"system"`
	Confidential       *bool               `json:"confidential"` // for those who see confidential things
	DiscussionID       *string             `json:"discussion_id"`
	CommitID           *string             `json:"commit_id"` // hex
	LineCode           *string             `json:"line_code"`
	Position           json.RawMessage     `json:"position"`          // a Position, or a text that holds one
	OriginalPosition   json.RawMessage     `json:"original_position"` // likewise
	ResolvedAt         *time.Time          `json:"resolved_at"`
	ResolvedByID       *int64              `json:"resolved_by_id"`
	UpdatedByID        *int64              `json:"updated_by_id"`
	LastEditedAt       *time.Time          `json:"last_edited_at"`
	CreatedAt          *time.Time          `json:"created_at"`
	UpdatedAt          *time.Time          `json:"updated_at"`
	AwardEmoji         []AwardEmoji        `json:"award_emoji"`
	SystemNoteMetadata *SystemNoteMetadata `json:"system_note_metadata"`
	Suggestions        []Suggestion        `json:"suggestions,omitempty"`
	Events             []Event             `json:"events"`
}

// CommitNote is a comment on the commit CommitID.
type CommitNote = Note

// Author names who wrote something.
type Author struct {
	Name string `json:"name"`
}

// SystemNoteMetadata says what a system note tells of.
type SystemNoteMetadata struct {
	Action      string `json:"action"`
	CommitCount *int   `json:"commit_count"`
}

// Position is the line or file of a diff that a note is on.
type Position struct {
	BaseSHA      string          `json:"base_sha"`
	StartSHA     string          `json:"start_sha"`
	HeadSHA      string          `json:"head_sha"`
	OldPath      *string         `json:"old_path"`
	NewPath      *string         `json:"new_path"`
	PositionType string          `json:"position_type"` // text, image, file
	OldLine      *int            `json:"old_line"`
	NewLine      *int            `json:"new_line"`
	LineRange    json.RawMessage `json:"line_range,omitempty"`
	Width        *int            `json:"width,omitempty"`
	Height       *int            `json:"height,omitempty"`
	X            *float64        `json:"x,omitempty"`
	Y            *float64        `json:"y,omitempty"`
}

// DecodePosition returns the position of a note, which archives hold as an object or as a text
// with one. It is nil if there is none.
func DecodePosition(raw json.RawMessage) (*Position, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var p Position
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	return &p, nil
}

// Suggestion is a change of lines that a note proposes.
type Suggestion struct {
	RelativeOrder int     `json:"relative_order"`
	Applied       bool    `json:"applied"`
	CommitID      *string `json:"commit_id"`
	FromContent   string  `json:"from_content"`
	ToContent     string  `json:"to_content"`
	LinesAbove    int     `json:"lines_above"`
	LinesBelow    int     `json:"lines_below"`
	Outdated      bool    `json:"outdated"`
}

// AwardEmoji is a reaction.
type AwardEmoji struct {
	Name      string     `json:"name"` // "thumbsup"
	UserID    *int64     `json:"user_id"`
	CreatedAt *time.Time `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
}

// Timelog is time that somebody spent.
type Timelog struct {
	TimeSpent int64      `json:"time_spent"` // seconds; negative where time was taken back
	UserID    *int64     `json:"user_id"`
	SpentAt   *time.Time `json:"spent_at"`
	Summary   *string    `json:"summary"`
	CreatedAt *time.Time `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
}

// Event is something that a user did, as profiles show it.
type Event struct {
	Action     Word       `json:"action"` // "created", or its number in archives before 14
	AuthorID   *int64     `json:"author_id"`
	TargetType *string    `json:"target_type"`
	CreatedAt  *time.Time `json:"created_at"`
	UpdatedAt  *time.Time `json:"updated_at"`
}

// ResourceLabelEvent says that a label was added or removed.
type ResourceLabelEvent struct {
	Action    Word       `json:"action"` // add, remove
	UserID    *int64     `json:"user_id"`
	CreatedAt *time.Time `json:"created_at"`
	Label     *Label     `json:"label"`
}

// ResourceMilestoneEvent says that a milestone was set or removed.
type ResourceMilestoneEvent struct {
	Action    Word       `json:"action"` // add, remove
	State     Word       `json:"state"`  // of the issue or merge request
	UserID    *int64     `json:"user_id"`
	CreatedAt *time.Time `json:"created_at"`
	Milestone *Milestone `json:"milestone"`
}

// ResourceStateEvent says that something was closed, reopened or merged.
type ResourceStateEvent struct {
	State        Word       `json:"state"` // opened, closed, merged, reopened, locked
	UserID       *int64     `json:"user_id"`
	SourceCommit *string    `json:"source_commit"` // hex: the commit that closed it
	CreatedAt    *time.Time `json:"created_at"`
}
