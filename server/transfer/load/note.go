package load

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"hew/server/markdown"
	"hew/server/note"
	"hew/server/transfer/archive"
)

// maxNotes is how many notes a target can have.
const maxNotes = 5000

// addNotes adds the notes on the target, with their reactions and suggestions. Ids for them are
// reserved.
func (b *batch) addNotes(t target, list []archive.Note) {
	if len(list) > maxNotes {
		b.failIn("notes", t.document, invalid("Maximum number of comments exceeded"))
		list = list[:maxNotes]
	}
	for i, n := range list {
		r, err := b.note(t.threads(), i, n)
		if err != nil {
			b.failIn("notes", t.document, err)
			continue
		}
		r[t.column] = t.id
		r["resolvable"] = t.kind == string(note.MergeRequest) && n.Type != nil && !n.System
		if t.kind == string(note.MergeRequest) {
			r["request_commit_oid"] = oid(n.CommitID)
		}
		b.add("notes", r)
		b.addNoteParts(r["id"].(int64), n)
		b.addEvents(n.Events, t.row(noteEvents(r)))
	}
}

// noteEvents returns the columns of events about a note.
func noteEvents(r row) row {
	kind := "Note"
	if word, ok := r["type"].(string); ok {
		kind = word
	}
	return row{"target_type": kind, "target_id": r["id"], "target_iid": r["id"], "note_id": r["id"]}
}

// addNoteParts adds the reactions to a note, and its suggestions.
func (b *batch) addNoteParts(id int64, n archive.Note) {
	b.addEmoji("note_id", id, n.AwardEmoji)
	for _, s := range n.Suggestions {
		b.add("suggestions", row{
			"note_id": id, "position": s.RelativeOrder, "lines_above": s.LinesAbove, "lines_below": s.LinesBelow,
			"from_content": s.FromContent, "to_content": s.ToContent, "applied_oid": oid(s.CommitID),
			"outdated": s.Outdated,
		})
	}
}

// note returns the row of a note without what it is on.
func (b *batch) note(on string, position int, n archive.Note) (row, error) {
	created, updated := span(n.CreatedAt, n.UpdatedAt)
	name := ""
	if n.Author != nil {
		name = n.Author.Name
	}
	body := n.Note
	if !n.System {
		body = markdown.QuoteMentions(body)
	}
	body = Storable(b.attribute(body, n.AuthorID, name, updated))
	if utf8.RuneCountInString(body) > 1000000 {
		return nil, invalid("note: is too long (maximum is 1000000 characters)")
	}
	r := row{
		"id": b.take("notes"), "project_id": b.project.ID, "discussion_id": b.threadID(on, n.DiscussionID, position),
		"type": nil, "body": body, "author_id": b.author(n.AuthorID), "system": n.System,
		"internal": n.Confidential != nil && *n.Confidential, "resolvable": false,
		"resolved_at": n.ResolvedAt, "resolved_by_id": nil, "created_at": created, "updated_at": updated,
		"last_edited_at": n.LastEditedAt, "last_edited_by_id": nil, "position": nil, "original_position": nil,
	}
	if n.Type != nil {
		r["type"] = oneOf(*n.Type, nil, note.DiscussionNote, note.DiffNote)
	}
	if n.ResolvedAt != nil {
		r["resolved_by_id"] = b.user(n.ResolvedByID)
	}
	if n.LastEditedAt != nil {
		r["last_edited_by_id"] = b.user(n.UpdatedByID)
	}
	if r["type"] != note.DiffNote {
		return r, nil
	}
	var err error
	if r["position"], err = positionOf(n.Position); err != nil {
		return nil, err
	}
	if r["original_position"], err = positionOf(n.OriginalPosition); err != nil {
		return nil, err
	}
	if r["position"] == nil {
		r["type"], r["original_position"] = note.DiscussionNote, nil
	}
	return r, nil
}

// positionOf returns a position as notes store it, null if there is none.
func positionOf(raw json.RawMessage) (any, error) {
	p, err := archive.DecodePosition(raw)
	if err != nil {
		return nil, invalid("position: is invalid")
	}
	if p == nil || p.HeadSHA == "" {
		return nil, nil
	}
	position := note.Position{
		BaseSHA: &p.BaseSHA, StartSHA: &p.StartSHA, HeadSHA: p.HeadSHA, PositionType: note.TextPosition,
		OldLine: p.OldLine, NewLine: p.NewLine, LineRange: p.LineRange, X: p.X, Y: p.Y,
	}
	if p.OldPath != nil {
		position.OldPath, position.NewPath = *p.OldPath, *p.OldPath
	}
	if p.NewPath != nil {
		position.NewPath = *p.NewPath
		if p.OldPath == nil {
			position.OldPath = *p.NewPath
		}
	}
	if p.PositionType == note.ImagePosition || p.PositionType == note.FilePosition {
		position.PositionType = p.PositionType
	}
	if p.Width != nil && p.Height != nil {
		width, height := float64(*p.Width), float64(*p.Height)
		position.Width, position.Height = &width, &height
	}
	text, err := json.Marshal(position)
	return json.RawMessage(text), err
}

// storeCommitNotes stores the comments on commits.
func storeCommitNotes(ctx context.Context, b *batch, documents []Document) error {
	if err := b.reserve(ctx, "notes", len(documents)); err != nil {
		return err
	}
	return each(b, documents, func(d Document, n *archive.Note) error {
		commit := oid(n.CommitID)
		if commit == nil {
			return invalid("commit_id: is not the id of a commit")
		}
		r, err := b.note("Commit "+*n.CommitID, d.Line, *n)
		if err != nil {
			return err
		}
		r["commit_oid"] = commit
		b.add("notes", r)
		b.addNoteParts(r["id"].(int64), *n)
		b.addEvents(n.Events, noteEvents(r))
		return nil
	})
}
