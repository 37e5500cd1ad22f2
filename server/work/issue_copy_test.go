package work_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// said is a note as copies have to keep it.
type said struct {
	Thread int    `db:"thread"` // the number of its thread
	Body   string `db:"body"`
	Author int64  `db:"author_id"`
	System bool   `db:"system"`
	Awards int    `db:"awards"`
	At     string `db:"at"`
}

func (w board) notes(t *testing.T, on note.Target) []said {
	column := map[note.Kind]string{note.Issue: "issue_id", note.Epic: "epic_id"}[on.Kind]
	list, err := db.Many[said](t.Context(), w.Store, `
		select dense_rank() over (order by min_id)::int as thread, body, author_id, system, awards, at from (
		    select n.id, min(n.id) over (partition by n.discussion_id) as min_id, n.body, n.author_id, n.system,
		        n.created_at::text as at, (select count(*)::int from award_emoji a where a.note_id = n.id) as awards
		    from notes n where n.`+column+` = @id) n order by id`, pgx.NamedArgs{"id": on.ID})
	require.NoError(t, err)
	return list
}

// discussed makes an issue with a thread of two notes and reactions, and a note that stands alone.
func (w board) discussed(t *testing.T, confidential bool) (work.Issue, []said) {
	bob := w.User("bob")
	i, err := work.CreateIssue(t.Context(), w.Store, w.site, bob, func(_ *db.Store, i *work.Issue) error {
		i.Title, i.Confidential = "Bug", confidential
		i.LabelIDs = []int64{w.label(t, w.site.Container(), "ours").ID, w.label(t, w.group, "all").ID}
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, w.Store.Exec(t.Context(), `
		with made as (
		    insert into notes (project_id, issue_id, discussion_id, type, body, author_id, created_at)
		    values (@project, @issue, 'a', 'DiscussionNote', 'first', @bob, '2026-01-01'),
		           (@project, @issue, 'b', null, 'alone', @alice, '2026-01-02'),
		           (@project, @issue, 'a', 'DiscussionNote', 'second', @alice, '2026-01-03') returning id, body)
		insert into award_emoji (note_id, user_id, name)
		select id, @alice::bigint, 'thumbsup' from made where body <> 'alone'`,
		pgx.NamedArgs{"project": w.site.ID, "issue": i.ID, "bob": bob.ID, "alice": w.alice.ID}))
	require.NoError(t, w.Store.Exec(t.Context(), `
		insert into award_emoji (issue_id, user_id, name) values (@issue, @alice, 'thumbsup')`,
		pgx.NamedArgs{"issue": i.ID, "alice": w.alice.ID}))
	return i, w.notes(t, i.Target())
}

// bodies returns what notes say, without when.
func bodies(list []said) (texts []string) {
	for _, s := range list {
		texts = append(texts, s.Body)
	}
	return texts
}

// A moved issue keeps its notes and reactions, and can be moved once.
func TestMoveIssue(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	i, notes := w.discussed(t, false)
	moved, err := work.MoveIssue(t.Context(), w.Store, w.site, w.docs, w.alice, i)
	require.NoError(t, err)
	require.Equal(t, i.AuthorID, moved.AuthorID)
	require.True(t, i.CreatedAt.Equal(moved.CreatedAt))
	require.Equal(t, 1, moved.Upvotes)
	require.Len(t, moved.LabelIDs, 1, "the label of the group")
	copied := w.notes(t, moved.Target())
	require.Equal(t, notes, copied[:3])
	require.Equal(t, []string{"moved from site#1"}, bodies(copied[3:]))
	require.Equal(t, []string{"moved to docs#1"}, bodies(w.notes(t, i.Target())[3:]))
	_, err = work.MoveIssue(t.Context(), w.Store, w.site, w.docs, w.alice, i)
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "%v", err)
}

// A clone has the notes only if they are asked for.
func TestCloneIssue(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	i, notes := w.discussed(t, false)
	bare, err := work.CloneIssue(t.Context(), w.Store, w.site, w.site, w.alice, i, false)
	require.NoError(t, err)
	require.Equal(t, w.alice.ID, *bare.AuthorID)
	require.Len(t, bare.LabelIDs, 2)
	require.Equal(t, []string{"cloned from #1"}, bodies(w.notes(t, bare.Target())))
	whole, err := work.CloneIssue(t.Context(), w.Store, w.site, w.docs, w.alice, i, true)
	require.NoError(t, err)
	copied := w.notes(t, whole.Target())
	require.Equal(t, notes, copied[:3])
	require.Equal(t, []string{"cloned to site#2", "cloned from site#1"}, bodies(copied[3:]))
}

// A promoted issue is closed and refers to its epic, which has its text, notes and followers.
func TestPromoteIssue(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	i, notes := w.discussed(t, true)
	eve := w.User("eve")
	_, err := work.PromoteIssue(t.Context(), w.Store, w.site, eve, i)
	require.Error(t, err)
	w.Member(group.NewMember(tree.InProject(w.site), eve.ID, 30))
	_, err = work.PromoteIssue(t.Context(), w.Store, w.site, eve, i)
	require.ErrorContains(t, err, "insufficient permissions", "of the project, but not of the group")

	e, err := work.PromoteIssue(t.Context(), w.Store, w.site, w.alice, i)
	require.NoError(t, err)
	require.Equal(t, "Bug", e.Title)
	require.True(t, e.Confidential)
	require.Len(t, e.LabelIDs, 1)
	copied := w.notes(t, e.Target())
	require.Equal(t, notes, copied[:3])
	require.Equal(t, []string{"promoted from issue site#1"}, bodies(copied[3:]))
	require.Equal(t, []string{"promoted to epic acme&1"}, bodies(w.notes(t, i.Target())[3:]))
	subscribed, err := work.IsSubscribed(t.Context(), w.Store, e.Target(), w.alice.ID)
	require.NoError(t, err)
	require.True(t, subscribed)

	now, err := work.IssuesByID(t.Context(), w.Store, []int64{i.ID})
	require.NoError(t, err)
	require.Equal(t, work.Closed, now[i.ID].State)
	require.Equal(t, e.ID, *now[i.ID].PromotedToID)
	_, err = work.PromoteIssue(t.Context(), w.Store, w.site, w.alice, i)
	require.ErrorContains(t, err, "Issue already promoted to epic.")
}
