package hook

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/work"
)

// notePayload is a note on an issue, a merge request, a commit or a snippet. The user, the project
// and its repository are shown beside it (gaps §13.6).
type notePayload struct {
	ObjectKind string             `json:"object_kind"` // note
	EventType  string             `json:"event_type"`  // note, confidential_note
	ProjectID  int64              `json:"project_id"`
	Attributes noteAttributes     `json:"object_attributes"`
	Issue      *noteIssue         `json:"issue,omitempty"`
	Merge      *requestAttributes `json:"merge_request,omitempty"`
	Commit     *bareCommit        `json:"commit,omitempty"`
	Snippet    *noteSnippet       `json:"snippet,omitempty"`
}

type noteAttributes struct {
	ID               int64           `json:"id"`
	Note             string          `json:"note"`
	Description      string          `json:"description"` // the same
	NoteableType     note.Kind       `json:"noteable_type"`
	NoteableID       *int64          `json:"noteable_id"`
	AuthorID         *int64          `json:"author_id"`
	CreatedAt        time.Time       `json:"created_at"`
	UpdatedAt        time.Time       `json:"updated_at"`
	UpdatedByID      *int64          `json:"updated_by_id"`
	ProjectID        int64           `json:"project_id"`
	Attachment       *string         `json:"attachment"` // null: uploads are links in the text
	LineCode         *string         `json:"line_code"`
	CommitID         *string         `json:"commit_id"`
	DiscussionID     *string         `json:"discussion_id"`
	Type             *string         `json:"type"`
	System           bool            `json:"system"`
	Internal         bool            `json:"internal"`
	ResolvedAt       *time.Time      `json:"resolved_at"`
	ResolvedByID     *int64          `json:"resolved_by_id"`
	Position         json.RawMessage `json:"position"`
	OriginalPosition json.RawMessage `json:"original_position"`
	ChangedDiff      *struct{}       `json:"st_diff"`
	Action           string          `json:"action,omitempty"` // create, update
	URL              string          `json:"url"`
}

// noteIssue is the issue that a note is on.
type noteIssue struct {
	issueColumns
	AssigneeIDs []int64        `json:"assignee_ids"`
	State       string         `json:"state"`
	Labels      []labelPayload `json:"labels"`
}

func newNoteIssue(ctx context.Context, st *db.Store, web string, i work.Issue) (*noteIssue, error) {
	refs, err := readIssueRefs(ctx, st, web, i)
	return &noteIssue{
		newIssueColumns(i), append([]int64{}, i.AssigneeIDs...), i.State, chosen(refs.labels, i.LabelIDs),
	}, err
}

// newNotePayload returns the payload of a note on something of a project.
func newNotePayload(
	ctx context.Context, st *db.Store, web string, on noteable, n note.Note, action string,
) (notePayload, error) {
	p := on.project
	payload := notePayload{
		ObjectKind: "note", EventType: "note", ProjectID: p.ID,
		Attributes: noteAttributes{
			ID: n.ID, Note: n.Body, Description: n.Body, NoteableType: n.Kind(), NoteableID: n.IssueID,
			AuthorID: n.AuthorID, CreatedAt: wholeSeconds(n.CreatedAt), UpdatedAt: wholeSeconds(n.UpdatedAt),
			UpdatedByID: n.LastEditedByID, ProjectID: p.ID, DiscussionID: &n.DiscussionID, Type: n.Type,
			System: n.System, Internal: n.Internal, ResolvedAt: secondsOf(n.ResolvedAt), ResolvedByID: n.ResolvedByID,
			Position: n.Position, OriginalPosition: n.OriginalPosition, Action: action,
		},
	}
	if n.IssueID != nil {
		if n.Internal || on.issue.Confidential {
			payload.EventType = "confidential_note"
		}
		issue, err := newNoteIssue(ctx, st, web, on.issue)
		payload.Issue = issue
		payload.Attributes.URL = fmt.Sprintf("%s#note_%d", on.page(web), n.ID)
		return payload, err
	}
	if n.MergeRequestID != nil {
		request, err := newNoteRequest(ctx, st, web, on)
		payload.Merge, payload.Attributes.NoteableID = request, n.MergeRequestID
		payload.Attributes.URL = fmt.Sprintf("%s#note_%d", on.page(web), n.ID)
		if len(n.CommitOfRequest) > 0 {
			payload.Attributes.CommitID = new(hex.EncodeToString(n.CommitOfRequest))
		}
		if err != nil {
			return payload, err
		}
		line, err := merge.LineCodeOf(ctx, st, p, n)
		if line != "" {
			payload.Attributes.LineCode = &line
		}
		return payload, err
	}
	if n.SnippetID != nil {
		payload.Snippet, payload.Attributes.NoteableID = newNoteSnippet(on.snippet, on.page(web)), n.SnippetID
		payload.Attributes.URL = fmt.Sprintf("%s#note_%d", on.page(web), n.ID)
		return payload, nil
	}
	sha := hex.EncodeToString(n.CommitOID)
	payload.Attributes.CommitID = &sha
	payload.Attributes.URL = fmt.Sprintf("%s/%s/-/commit/%s#note_%d", web, p.FullPath, sha, n.ID)
	name := code.CommitName{ProjectID: p.ID, ID: object.ID(n.CommitOID)}
	commits, err := code.CommitsNamed(ctx, st, []code.CommitName{name})
	if c, ok := commits[name]; ok {
		payload.Commit = newBareCommit(web, p, c)
	}
	return payload, err
}
