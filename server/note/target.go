package note

import (
	"encoding/hex"
	"fmt"

	"hew/server/db"
)

// Kind is the kind of a target, as the API writes it in noteable_type.
type Kind string

// The kinds of targets.
const (
	Issue        Kind = "Issue"
	Epic         Kind = "Epic"
	MergeRequest Kind = "MergeRequest"
	Commit       Kind = "Commit"
	Snippet      Kind = "Snippet" // of a project
)

// Column returns the column by which tables refer to a target of the kind.
func (k Kind) Column() string {
	return map[Kind]string{
		Issue: "issue_id", Epic: "epic_id", MergeRequest: "merge_request_id", Commit: "commit_oid",
		Snippet: "snippet_id",
	}[k]
}

// Target is what a note is on.
type Target struct {
	db.Container        // the project or group that holds it
	Kind         Kind   // what it is
	ID           int64  // its id; 0 for a commit
	IID          int    // its number in the project or group; 0 for a commit
	OID          []byte // the id of a commit
}

// String names the target, for locks.
func (t Target) String() string {
	if t.Kind == Commit {
		return fmt.Sprintf("commit %s of %s", hex.EncodeToString(t.OID), t.Container)
	}
	return fmt.Sprintf("%s %d", t.Kind, t.ID)
}

// TargetIDs are the columns by which tables refer to a target; one of them is set, unless the
// target is a snippet: notes and reactions alone refer to those.
type TargetIDs struct {
	IssueID        *int64 `db:"issue_id"`
	EpicID         *int64 `db:"epic_id"`
	MergeRequestID *int64 `db:"merge_request_id"`
	CommitOID      []byte `db:"commit_oid"`
}

// IDs returns the columns that refer to the target.
func (t Target) IDs() TargetIDs {
	switch t.Kind {
	case Issue:
		return TargetIDs{IssueID: &t.ID}
	case Epic:
		return TargetIDs{EpicID: &t.ID}
	case MergeRequest:
		return TargetIDs{MergeRequestID: &t.ID}
	case Snippet:
		return TargetIDs{}
	}
	return TargetIDs{CommitOID: t.OID}
}

// Kind returns the kind of the target.
func (t TargetIDs) Kind() Kind {
	switch {
	case t.IssueID != nil:
		return Issue
	case t.EpicID != nil:
		return Epic
	case t.MergeRequestID != nil:
		return MergeRequest
	}
	return Commit
}

// where adds the condition that a row t refers to the target.
func (t Target) where(w *db.Where) {
	if t.Kind == Commit {
		w.And(`t.project_id = @target_project`, t.ProjectID)
		w.And(`t.commit_oid = @target`, t.OID)
		return
	}
	w.And(`t.`+t.Kind.Column()+` = @target`, t.ID)
}
