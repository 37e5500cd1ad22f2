package note

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Suggestion is a row of suggestions: a change of lines that a note on a diff offers (more §2.3).
// Package merge makes and applies them.
type Suggestion struct {
	ID         int64  `db:"id" json:"id"`
	FromLine   int    `db:"from_line" json:"from_line"` // of the lines that it replaces, in the new file
	ToLine     int    `db:"to_line" json:"to_line"`
	Appliable  bool   `db:"appliable" json:"appliable"`
	Applied    bool   `db:"applied" json:"applied"`
	FromText   string `db:"from_content" json:"from_content"`
	ToText     string `db:"to_content" json:"to_content"`
	Applicable bool   `db:"applicable" json:"applicable"` // another name of appliable
}

// appliable is the condition that a suggestion s of a note t can still be applied, as far as rows
// tell.
const appliable = `s.applied_oid is null and not s.outdated and s.from_content <> s.to_content and exists (
	select from merge_requests m
	where m.id = t.merge_request_id and m.state = 'opened' and m.source_project_id is not null)`

// suggestionsColumn is the column of the suggestions of a note t. Their lines move with the note.
const suggestionsColumn = `case when t.position is not null and t.merge_request_id is not null then (
	select jsonb_agg(` + suggestionColumn + ` order by s.position) from suggestions s where s.note_id = t.id) end`

// suggestionColumn is a suggestion s of a note t.
const suggestionColumn = `jsonb_build_object('id', s.id,
	'from_line', (t.position ->> 'new_line')::int - s.lines_above,
	'to_line', (t.position ->> 'new_line')::int + s.lines_below,
	'appliable', ` + appliable + `, 'applicable', ` + appliable + `, 'applied', s.applied_oid is not null,
	'from_content', s.from_content, 'to_content', s.to_content)`

// SuggestionsByID returns suggestions in the order of their ids.
func SuggestionsByID(ctx context.Context, s *db.Store, ids []int64) ([]Suggestion, error) {
	return db.Values[Suggestion](ctx, s, `
		select `+suggestionColumn+` from suggestions s join notes t on t.id = s.note_id where s.id = any(@ids) order by s.id`,
		pgx.NamedArgs{"ids": ids})
}
