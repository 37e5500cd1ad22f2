package note

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"time"

	"hew/server/db"
	"hew/server/tree"
)

// Note is a row of notes (spec 2 §2.3, more §2).
type Note struct {
	ID int64 `db:"id,auto"`
	db.Container
	TargetIDs
	AboutIDs
	SnippetID        *int64          `db:"snippet_id"` // of a note on a snippet
	DiscussionID     string          `db:"discussion_id"`
	Type             *string         `db:"type"` // nil, DiscussionNote or DiffNote
	Body             string          `db:"body"`
	AuthorID         *int64          `db:"author_id"`
	Author           *tree.Person    `db:"author,auto"` // nil: the user is deleted
	System           bool            `db:"system"`
	Internal         bool            `db:"internal"`
	Resolvable       bool            `db:"resolvable"`
	ResolvedAt       *time.Time      `db:"resolved_at"`
	ResolvedByID     *int64          `db:"resolved_by_id"`
	ResolvedBy       *tree.Person    `db:"resolved_by,auto"`
	Position         json.RawMessage `db:"position"`
	OriginalPosition json.RawMessage `db:"original_position"`
	CommitOfRequest  []byte          `db:"request_commit_oid"` // the commit of the merge request that it is on, if any
	Suggestions      []Suggestion    `db:"suggestions,auto"`   // of a note on lines of a merge request
	LastEditedAt     *time.Time      `db:"last_edited_at"`
	LastEditedByID   *int64          `db:"last_edited_by_id"`
	CreatedAt        time.Time       `db:"created_at,auto"`
	UpdatedAt        time.Time       `db:"updated_at,auto"`
}

// Created is emitted after somebody wrote a note, in the transaction that stores it. System notes
// raise no event.
type Created struct {
	Target Target
	Note   Note
	By     tree.User
}

// Changed is emitted after somebody edited a note.
type Changed struct {
	Target       Target
	Before, Note Note
	By           tree.User
}

// Deleted is emitted before a note is deleted.
type Deleted struct {
	Target Target
	Note   Note
	By     tree.User
}

// Kind returns the kind of what the note is on.
func (n Note) Kind() Kind {
	if n.SnippetID != nil {
		return Snippet
	}
	return n.TargetIDs.Kind()
}

// IsAuthor reports whether a user wrote the note.
func (n Note) IsAuthor(userID int64) bool { return n.AuthorID != nil && *n.AuthorID == userID }

// InThread reports whether the note belongs to a thread: it was begun as one, or has a reply.
func (n Note) InThread() bool { return n.Type != nil }

// newDiscussionID returns a new id of a thread.
func newDiscussionID() string {
	id := make([]byte, 20)
	rand.Read(id) // never fails
	return hex.EncodeToString(id)
}
