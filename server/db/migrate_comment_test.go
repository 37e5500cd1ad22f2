package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
)

// Comments on commits become notes of them, those on a line with its place.
func TestMigrateCommitComments(t *testing.T) {
	t.Parallel()
	st, pool := first(t)
	ctx := t.Context()
	require.NoError(t, db.MigrateBefore(ctx, pool, "0050_notes.sql"))
	require.NoError(t, st.Exec(ctx, `
		insert into commit_comments (project_id, oid, author_id, note, path, line, line_type) values
		    (21, '\x11', 2, 'All of it', null, null, null), (21, '\x11', null, 'A new line', 'a.txt', 3, 'new'),
		    (21, '\x12', 2, 'An old line', 'b.txt', 4, 'old')`, nil))
	require.NoError(t, db.Migrate(ctx, pool))
	type row struct {
		Project int64   `db:"project_id"`
		OID     string  `db:"oid"`
		Author  *int64  `db:"author_id"`
		Body    string  `db:"body"`
		Type    *string `db:"type"`
		Place   *string `db:"place"`
		Thread  int     `db:"thread"`
	}
	got, err := db.Many[row](ctx, st, `
		select project_id, encode(commit_oid, 'hex') as oid, author_id, body, type,
		    concat_ws(' ', position ->> 'head_sha', position ->> 'old_path', position ->> 'old_line',
		        'to', position ->> 'new_path', position ->> 'new_line') as place,
		    char_length(discussion_id) as thread
		from notes where position is not distinct from original_position order by id`, nil)
	require.NoError(t, err)
	diffNote := new("DiffNote")
	require.Equal(t, []row{
		{21, "11", new(int64(2)), "All of it", nil, new("to"), 40},
		{21, "11", nil, "A new line", diffNote, new("11 a.txt to a.txt 3"), 40},
		{21, "12", new(int64(2)), "An old line", diffNote, new("12 b.txt 4 to b.txt"), 40},
	}, got)
}
