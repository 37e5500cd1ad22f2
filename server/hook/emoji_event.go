package hook

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/note"
)

// emojiPayload is a reaction to an issue, or to a note, that was given or taken back. The user and
// the project are shown beside it (gaps §13.6).
type emojiPayload struct {
	ObjectKind string             `json:"object_kind"` // emoji
	EventType  string             `json:"event_type"`  // award, revoke
	ProjectID  int64              `json:"project_id"`
	Attributes emojiAttributes    `json:"object_attributes"`
	Note       *noteAttributes    `json:"note,omitempty"`
	Issue      *noteIssue         `json:"issue,omitempty"`
	Merge      *requestAttributes `json:"merge_request,omitempty"`
	Commit     *bareCommit        `json:"commit,omitempty"`
}

type emojiAttributes struct {
	ID            int64     `json:"id"`
	UserID        int64     `json:"user_id"`
	Name          string    `json:"name"`
	AwardableType string    `json:"awardable_type"` // Issue, Note
	AwardableID   int64     `json:"awardable_id"`
	CreatedAt     time.Time `json:"created_at"`
	UpdatedAt     time.Time `json:"updated_at"`
	Action        string    `json:"action"` // as event_type
	URL           string    `json:"awarded_on_url"`
}

// emojiListeners send reactions to the hooks of their projects and of the groups above. Those to
// confidential issues and internal notes are sent to none, since no flag asks for them; nor are
// those to epics and to snippets.
func emojiListeners(web string) []event.Listener {
	return []event.Listener{
		event.On(func(ctx context.Context, st *db.Store, e note.Awarded) error {
			return notifyEmoji(ctx, st, web, e, "award")
		}),
		event.On(func(ctx context.Context, st *db.Store, e note.Unawarded) error {
			return notifyEmoji(ctx, st, web, note.Awarded(e), "revoke")
		}),
	}
}

func notifyEmoji(ctx context.Context, st *db.Store, web string, e note.Awarded, action string) error {
	if e.On.Target.ProjectID == nil || e.On.Target.Kind == note.Snippet || e.On.Note != nil && e.On.Note.Internal {
		return nil
	}
	at, err := noteableOf(ctx, st, e.On.Target)
	if err != nil || at.issue.Confidential {
		return err
	}
	return enqueueDeliveries(ctx, st, ofIssue(at.project, false, "emoji_events", e.By), func() ([]any, error) {
		payload, err := newEmojiPayload(ctx, st, web, at, e, action)
		return []any{payload}, err
	})
}

func newEmojiPayload(
	ctx context.Context, st *db.Store, web string, on noteable, e note.Awarded, action string,
) (emojiPayload, error) {
	a := e.Award
	payload := emojiPayload{
		ObjectKind: "emoji", EventType: action, ProjectID: on.project.ID,
		Attributes: emojiAttributes{
			ID: a.ID, UserID: a.UserID, Name: a.Name, AwardableType: string(e.On.Target.Kind),
			AwardableID: e.On.Target.ID, CreatedAt: wholeSeconds(a.CreatedAt), UpdatedAt: wholeSeconds(a.UpdatedAt),
			Action: action, URL: on.page(web),
		},
	}
	if e.On.Note == nil && on.request.ID != 0 {
		request, err := newNoteRequest(ctx, st, web, on)
		payload.Merge = request
		return payload, err
	}
	if e.On.Note == nil {
		issue, err := newNoteIssue(ctx, st, web, on.issue)
		payload.Issue = issue
		return payload, err
	}
	n, err := newNotePayload(ctx, st, web, on, *e.On.Note, "update")
	n.Attributes.Action = ""
	payload.Note, payload.Issue, payload.Merge, payload.Commit = &n.Attributes, n.Issue, n.Merge, n.Commit
	payload.Attributes.AwardableType, payload.Attributes.AwardableID = "Note", e.On.Note.ID
	payload.Attributes.URL = n.Attributes.URL
	return payload, err
}

// sampleEmoji returns an event of a reaction, which does not exist, to the newest note of the
// project.
func sampleEmoji(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	n, err := newestNote(ctx, st, at.project.ID)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return sampleMissing("notes")(ctx, st, at)
	case err != nil:
		return nil, err
	}
	target := targetOf(at.project, n)
	on, err := noteableOf(ctx, st, target)
	if err != nil {
		return nil, err
	}
	award := note.Award{UserID: at.by.ID, Name: "thumbsup", CreatedAt: n.CreatedAt, UpdatedAt: n.CreatedAt}
	return newEmojiPayload(ctx, st, at.web, on, note.Awarded{
		On: note.Awardable{Target: target, Note: &n}, Award: award, By: at.by,
	}, "award")
}
