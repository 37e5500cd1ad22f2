package work_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/event"
	"hew/server/tree"
	"hew/server/work"
)

// crossing is a project with issues, some of them in an epic and its child.
type crossing struct {
	board
	t                      *testing.T
	in                     tree.Group
	milestone              work.Milestone
	parent, child, sibling work.Epic
	issues                 []work.Issue // the first two are of the parent, the third is of the child
	away                   work.Issue   // of the project docs
}

func newCrossing(t *testing.T, w board) crossing {
	ctx := t.Context()
	g, err := tree.GroupFor(ctx, w.Store, "acme", w.alice.ID)
	require.NoError(t, err)
	x := crossing{board: w, t: t, in: g.Group}
	x.milestone, err = work.CreateMilestone(ctx, w.Store, w.group, w.alice, func(m *work.Milestone) error {
		m.Title, m.StartDate = fmt.Sprint(time.Now()), day(1)
		return nil
	})
	require.NoError(t, err)
	x.parent = x.epic(nil)
	x.child, x.sibling = x.epic(&x.parent.ID), x.epic(&x.parent.ID)
	for n := range 5 {
		x.issues = append(x.issues, x.issue(w.site, func(i *work.Issue) {
			i.EpicID = []*int64{&x.parent.ID, &x.parent.ID, &x.child.ID, nil, nil}[n]
			i.MilestoneID = &x.milestone.ID
		}))
	}
	x.away = x.issue(w.docs, func(*work.Issue) {})
	return x
}

func day(n int) *db.Date {
	return &db.Date{Time: time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC)}
}

func (x crossing) epic(parent *int64) work.Epic {
	e, err := work.CreateEpic(x.t.Context(), x.Store, x.in, x.alice, func(_ *db.Store, e *work.Epic) error {
		e.Title, e.ParentID = "Epic", parent
		return nil
	})
	require.NoError(x.t, err)
	return e
}

func (x crossing) issue(p tree.Project, fill func(*work.Issue)) work.Issue {
	i, err := work.CreateIssue(x.t.Context(), x.Store, p, x.alice, func(_ *db.Store, i *work.Issue) error {
		i.Title = "Issue"
		fill(i)
		return nil
	})
	require.NoError(x.t, err)
	return i
}

// change edits the issue with an index.
func (x crossing) change(n int, edit func(*work.Issue)) error {
	_, err := work.ChangeIssue(x.t.Context(), x.Store, x.site, x.alice, db.ByID(x.issues[n].ID),
		func(_ *db.Store, i *work.Issue) error {
			edit(i)
			return nil
		})
	return err
}

// deleteEpic deletes an epic.
func (x crossing) deleteEpic(e work.Epic) error {
	return work.DeleteEpic(x.t.Context(), x.Store, x.in, x.alice, e, func(context.Context, time.Time) error { return nil })
}

// plan edits the start date of an epic.
func (x crossing) plan(e work.Epic) error {
	_, err := work.ChangeEpic(x.t.Context(), x.Store, x.in, x.alice, db.ByID(e.ID),
		func(_ *db.Store, e *work.Epic) error {
			e.StartDateIsFixed, e.StartDateFixed = true, day(20)
			return nil
		})
	return err
}

// TestLockOrder does two things at once that lock the same rows, each pair many times: none of them
// waits for the other while that waits for it.
func TestLockOrder(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]func(crossing) error{
		"two moves": {
			func(x crossing) error {
				_, err := work.MoveIssue(x.t.Context(), x.Store, x.site, x.docs, x.alice, x.issues[0])
				return err
			},
			func(x crossing) error {
				_, err := work.MoveIssue(x.t.Context(), x.Store, x.docs, x.site, x.alice, x.away)
				return err
			},
		},
		"clone and reorder": {
			func(x crossing) error {
				_, err := work.CloneIssue(x.t.Context(), x.Store, x.site, x.site, x.alice, x.issues[3], true)
				return err
			},
			func(x crossing) error {
				return work.ReorderIssue(x.t.Context(), x.Store, x.issues[3], x.issues[4].ID, 0)
			},
		},
		"two reorders": {
			func(x crossing) error {
				return work.ReorderIssue(x.t.Context(), x.Store, x.issues[3], x.issues[4].ID, 0)
			},
			func(x crossing) error {
				return work.ReorderIssue(x.t.Context(), x.Store, x.issues[4], x.issues[3].ID, 0)
			},
		},
		"issue of an epic that is deleted": {
			func(x crossing) error { return x.change(1, func(i *work.Issue) { i.Confidential = true }) },
			func(x crossing) error { return x.deleteEpic(x.parent) },
		},
		"issue that leaves an epic that is deleted": {
			func(x crossing) error { return x.change(0, func(i *work.Issue) { i.EpicID = nil }) },
			func(x crossing) error { return x.deleteEpic(x.parent) },
		},
		"issue that comes to an epic that is deleted": {
			func(x crossing) error { return x.change(3, func(i *work.Issue) { i.EpicID = &x.parent.ID }) },
			func(x crossing) error { return x.deleteEpic(x.parent) },
		},
		"issue between an epic and its child, and dates of the child": {
			func(x crossing) error { return x.change(0, func(i *work.Issue) { i.EpicID = &x.child.ID }) },
			func(x crossing) error { return x.plan(x.child) },
		},
		"issue that comes to an epic, and dates of its milestone": {
			func(x crossing) error { return x.change(3, func(i *work.Issue) { i.EpicID = &x.parent.ID }) },
			func(x crossing) error {
				_, err := work.ChangeMilestone(x.t.Context(), x.Store, x.group, x.alice, x.milestone.ID,
					func(m *work.Milestone) error {
						m.StartDate = day(10)
						return nil
					})
				return err
			},
		},
		"issue that changes its epic, and its milestone that is deleted": {
			func(x crossing) error { return x.change(0, func(i *work.Issue) { i.EpicID = &x.child.ID }) },
			func(x crossing) error {
				return work.DeleteMilestone(x.t.Context(), x.Store, x.group, x.alice, x.milestone.ID,
					func(context.Context, time.Time) error { return nil })
			},
		},
		"children of an epic that is deleted": {
			func(x crossing) error {
				return work.ReorderChild(x.t.Context(), x.Store, x.parent, x.child, x.sibling.ID, 0)
			},
			func(x crossing) error { return x.deleteEpic(x.parent) },
		},
		"dates of an issue's milestone, and its epic that is deleted": {
			func(x crossing) error { return x.change(2, func(i *work.Issue) { i.MilestoneID = nil }) },
			func(x crossing) error { return x.deleteEpic(x.parent) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newBoard(t)
			event.Attach(w.Store, work.Listeners("https://code.example.com"))
			for round := range 20 {
				x := newCrossing(t, w)
				errs, both := [2]error{}, sync.WaitGroup{}
				start := make(chan struct{})
				for n, do := range pair {
					both.Go(func() {
						<-start
						errs[n] = do(x)
					})
				}
				close(start)
				both.Wait()
				for _, err := range errs {
					require.False(t, db.Overtaken(err), "round %d: %v", round, err)
				}
			}
		})
	}
}
