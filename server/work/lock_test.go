package work_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/event"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// A note on an issue and a change of the issue that mention the same other issue at once wait for
// each other in one order.
func TestNoteAndChangeMentionAtOnce(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	event.Attach(w.Store, work.Listeners("https://code.example.com"))
	ctx := t.Context()
	titled := func(title string) work.Issue {
		i, err := work.CreateIssue(ctx, w.Store, w.site, w.alice, func(_ *db.Store, i *work.Issue) error {
			i.Title = title
			return nil
		})
		require.NoError(t, err)
		return i
	}
	mentioned, other, busy := titled("Mentioned"), titled("Other"), titled("Busy")
	waiting := func(many int) {
		require.Eventually(t, func() bool {
			n, err := db.Value[int](ctx, w.Store, `
				select count(*) from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'`, nil)
			return err == nil && n == many
		}, 10*time.Second, time.Millisecond, "not %d statements wait for a lock", many)
	}
	results := make(chan error, 2)
	require.NoError(t, w.Store.Tx(ctx, func(st *db.Store) error {
		err := note.AddMention(ctx, st, mentioned.Target(), other.Target(), w.alice.ID, "mentioned in issue #2")
		require.NoError(t, err)
		go func() {
			_, err := note.Create(ctx, w.Store, busy.Target(), note.New{By: w.alice, Body: "Like #1"})
			results <- err
		}()
		waiting(1)
		go func() {
			_, err := work.ChangeIssue(ctx, w.Store, w.site, w.alice, db.ByID(busy.ID),
				func(_ *db.Store, i *work.Issue) error {
					i.Title = "Busy like #1"
					return nil
				})
			results <- err
		}()
		waiting(2)
		return nil
	}))
	require.NoError(t, <-results)
	require.NoError(t, <-results)
}

// The list of epics that a search finds is read according to the size of their table.
func TestSearchedTable(t *testing.T) {
	t.Parallel()
	require.Equal(t, "epics", work.EpicFilter{Search: "plan"}.SearchedTable())
}

// Two issues of a project that are closed at once do not wait for each other because of the count
// of the open ones, which has both.
func TestCloseAtOnce(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	ctx := t.Context()
	var ids []int64
	for range 3 {
		i, err := work.CreateIssue(ctx, w.Store, w.site, w.alice, func(_ *db.Store, i *work.Issue) error {
			i.Title, i.Confidential = "Issue", len(ids) == 0
			return nil
		})
		require.NoError(t, err)
		ids = append(ids, i.ID)
	}
	closeIn := func(st *db.Store, id int64) error {
		_, err := work.ChangeIssue(ctx, st, w.site, w.alice, db.ByID(id), func(_ *db.Store, i *work.Issue) error {
			i.State = work.Closed
			return nil
		})
		return err
	}
	slotOf := func(st *db.Store) (int, error) { return db.Value[int](ctx, st, `select pg_backend_pid() % 8`, nil) }
	require.NoError(t, w.Store.Tx(ctx, func(st *db.Store) error {
		if err := closeIn(st, ids[0]); err != nil {
			return err
		}
		taken, err := slotOf(st)
		if err != nil {
			return err
		}
		var closeBeside func() error
		closeBeside = func() error {
			return w.Store.Tx(ctx, func(st *db.Store) error {
				if slot, err := slotOf(st); err != nil || slot == taken {
					return errors.Join(err, closeBeside())
				}
				if err := st.Exec(ctx, `set local lock_timeout = '5s'`, nil); err != nil {
					return err
				}
				return closeIn(st, ids[1])
			})
		}
		return closeBeside()
	}))
	p, err := tree.ProjectFor(ctx, w.Store, w.site.FullPath, w.alice.ID)
	require.NoError(t, err)
	require.Equal(t, 1, p.OpenIssuesCount)
	require.Zero(t, p.SecretIssues)
}
