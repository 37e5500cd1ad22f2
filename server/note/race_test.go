package note_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/work"
)

// desk is an issue of a project, and who made it.
type desk struct {
	servertest.World
	alice tree.User
	issue work.Issue
}

func newDesk(t *testing.T) desk {
	t.Helper()
	w := servertest.NewWorld(t)
	alice := w.User("alice")
	g := w.Group("acme", nil, alice.ID)
	site := w.Project("site", g.ID, alice.ID)
	i, err := work.CreateIssue(t.Context(), w.Store, site, alice, func(_ *db.Store, i *work.Issue) error {
		i.Title = "Broken link"
		return nil
	})
	require.NoError(t, err)
	return desk{w, alice, i}
}

// epic stores an epic and returns it as a target.
func (d desk) epic(t *testing.T) note.Target {
	t.Helper()
	groups, err := db.Values[int64](t.Context(), d.Store, `select id from namespaces where kind = 'group'`, nil)
	require.NoError(t, err)
	id, err := db.Value[int64](t.Context(), d.Store,
		fmt.Sprintf(`insert into epics (namespace_id, iid, title) values (%d, 1, 'Plan') returning id`, groups[0]), nil)
	require.NoError(t, err)
	return note.Target{Container: db.Container{NamespaceID: &groups[0]}, Kind: note.Epic, ID: id, IID: 1}
}

// twice runs do twice at once and returns both errors.
func twice(do func() error) []error {
	errs := make([]error, 2)
	var both sync.WaitGroup
	for n := range errs {
		both.Go(func() { errs[n] = do() })
	}
	both.Wait()
	return errs
}

// Of equal reactions at once one is stored, and the other is refused like a later one; all names of
// an emoji are one.
func TestAwardTwiceAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	n, err := note.Create(ctx, d.Store, d.issue.Target(), note.New{By: d.alice, Body: "Look."})
	require.NoError(t, err)
	for _, on := range []note.Awardable{
		{Target: d.issue.Target()}, {Target: d.epic(t)}, {Target: d.issue.Target(), Note: &n},
	} {
		names := make(chan string, 2)
		names <- "+1"
		names <- "thumbsup"
		refused := 0
		for _, err := range twice(func() error {
			_, err := note.AddAward(ctx, d.Store, on, d.alice, <-names)
			return err
		}) {
			if err != nil {
				require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "%v", err)
				refused++
			}
		}
		require.Equal(t, 1, refused, on.Kind())
		list, _, err := note.Awards(ctx, d.Store, on, db.Page{Limit: 9})
		require.NoError(t, err)
		require.Len(t, list, 1)
		for _, err := range twice(func() error { return note.RemoveAward(ctx, d.Store, on, d.alice, list[0]) }) {
			if err != nil {
				require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "%v", err)
			}
		}
	}
	i, err := work.Issues(d.Store, d.issue.ProjectID).One(ctx, db.ByID(d.issue.ID))
	require.NoError(t, err)
	require.Zero(t, i.Upvotes, "a vote was counted twice, or not at all")
}

// Two texts that mention an issue from one other at once leave one note.
func TestMentionTwiceAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	other := d.epic(t)
	for _, err := range twice(func() error {
		return note.AddMention(ctx, d.Store, d.issue.Target(), other, d.alice.ID, "mentioned in epic &1")
	}) {
		require.NoError(t, err)
	}
	_, total, err := note.Notes(d.Store, d.issue.Target(), note.Reader{}).List(ctx, db.Page{Limit: 9})
	require.NoError(t, err)
	require.Equal(t, 1, total)
}

// The last note that there is room for is written once.
func TestLimitOfNotes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	require.NoError(t, d.Store.Exec(ctx, fmt.Sprintf(`
		insert into notes (project_id, issue_id, discussion_id, body)
		select %d, %d, 'd' || n, 'Note' from generate_series(1, 4999) n`, d.issue.ProjectID, d.issue.ID), nil))
	refused := 0
	for _, err := range twice(func() error {
		_, err := note.Create(ctx, d.Store, d.issue.Target(), note.New{By: d.alice, Body: "Last"})
		return err
	}) {
		if err != nil {
			require.ErrorContains(t, err, "Maximum number of comments exceeded")
			refused++
		}
	}
	require.Equal(t, 1, refused)
}

// Replies at once make one thread of a note.
func TestReplyTwiceAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	first, err := note.Create(ctx, d.Store, d.issue.Target(), note.New{By: d.alice, Body: "Anybody?"})
	require.NoError(t, err)
	thread := note.Discussion{ID: first.DiscussionID, Notes: []note.Note{first}}
	for _, err := range twice(func() error {
		_, err := note.Reply(ctx, d.Store, d.issue.Target(), thread, note.New{By: d.alice, Body: "Me."})
		return err
	}) {
		require.NoError(t, err)
	}
	got, ok, err := note.FindDiscussion(ctx, d.Store, d.issue.Target(), note.Reader{}, first.DiscussionID)
	require.NoError(t, err)
	require.True(t, ok)
	require.Len(t, got.Notes, 3)
	for _, n := range got.Notes {
		require.Equal(t, new(note.DiscussionNote), n.Type)
	}
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for text, want := range map[string]string{
		strings.Repeat("ü", 1_000_000): "", strings.Repeat("ü", 1_000_001): "is too long", "\t\n ": "can't be blank",
	} {
		_, err := note.Create(t.Context(), d.Store, d.issue.Target(), note.New{By: d.alice, Body: text})
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}
