package work_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
	"hew/server/work"
)

// plan is a group with epics, milestones and issues that change at random.
type plan struct {
	board
	*rand.Rand
	acme       tree.Group
	epics      []int64
	milestones []int64
	issues     []int64
}

func newPlan(t *testing.T, seed uint64) *plan {
	b := newBoard(t)
	g, err := tree.FindGroup(t.Context(), b.Store, *b.group.NamespaceID)
	require.NoError(t, err)
	p := &plan{board: b, Rand: rand.New(rand.NewPCG(seed, 2)), acme: g}
	for n := range 8 {
		e, err := work.CreateEpic(t.Context(), p.Store, g, p.alice, func(_ *db.Store, e *work.Epic) error {
			e.Title = fmt.Sprint("Epic ", n)
			return nil
		})
		require.NoError(t, err)
		p.epics = append(p.epics, e.ID)
	}
	for n := range 4 {
		m, err := work.CreateMilestone(t.Context(), p.Store, p.site.Container(), p.alice, func(m *work.Milestone) error {
			m.Title, m.StartDate, m.DueDate = fmt.Sprint("Milestone ", n), p.day(), p.dayAfter()
			return nil
		})
		require.NoError(t, err)
		p.milestones = append(p.milestones, m.ID)
	}
	for n := range 10 {
		i, err := work.CreateIssue(t.Context(), p.Store, p.site, p.alice, func(_ *db.Store, i *work.Issue) error {
			i.Title, i.EpicID, i.MilestoneID = fmt.Sprint("Issue ", n), p.one(p.epics), p.one(p.milestones)
			return nil
		})
		require.NoError(t, err)
		p.issues = append(p.issues, i.ID)
	}
	return p
}

// one returns one of the ids, or none.
func (p *plan) one(ids []int64) *int64 {
	if n := p.IntN(len(ids) + 1); n < len(ids) {
		return &ids[n]
	}
	return nil
}

// day returns a day of the first half of a year, or none.
func (p *plan) day() *db.Date {
	if p.IntN(4) == 0 {
		return nil
	}
	return db.DateOf(time.Date(2026, 1, 1+p.IntN(150), 0, 0, 0, 0, time.UTC))
}

// dayAfter returns a day of the second half of the year, or none.
func (p *plan) dayAfter() *db.Date {
	d := p.day()
	if d != nil {
		d = new(d.Add(180))
	}
	return d
}

// step makes a random change, and ignores that it may be refused.
func (p *plan) step(t *testing.T) {
	ctx := t.Context()
	switch p.IntN(8) {
	case 0, 1: // an epic gets another parent
		_, _ = work.ChangeEpic(ctx, p.Store, p.acme, p.alice, db.ByID(p.epics[p.IntN(len(p.epics))]),
			func(_ *db.Store, e *work.Epic) error {
				e.ParentID = p.one(p.epics)
				return nil
			})
	case 2: // an epic gets fixed dates, or others
		_, _ = work.ChangeEpic(ctx, p.Store, p.acme, p.alice, db.ByID(p.epics[p.IntN(len(p.epics))]),
			func(_ *db.Store, e *work.Epic) error {
				e.StartDateIsFixed, e.DueDateIsFixed = p.IntN(2) == 0, p.IntN(2) == 0
				e.StartDateFixed, e.DueDateFixed = p.day(), p.dayAfter()
				return nil
			})
	case 3, 4, 5: // an issue gets another epic and milestone
		_, _ = work.ChangeIssue(ctx, p.Store, p.site, p.alice, db.ByID(p.issues[p.IntN(len(p.issues))]),
			func(_ *db.Store, i *work.Issue) error {
				i.EpicID, i.MilestoneID = p.one(p.epics), p.one(p.milestones)
				return nil
			})
	case 6: // a milestone gets other dates
		_, _ = work.ChangeMilestone(ctx, p.Store, p.site.Container(), p.alice, p.milestones[p.IntN(len(p.milestones))],
			func(m *work.Milestone) error {
				m.StartDate, m.DueDate = p.day(), p.dayAfter()
				return nil
			})
	default: // something goes
		table := []string{"issues", "epics", "milestones"}[p.IntN(3)]
		_ = p.Store.Exec(ctx, `delete from `+table+` where id = (select max(id) from `+table+`)
			and (select count(*) from `+table+`) > 3`, pgx.NamedArgs{})
	}
}

// check recomputes the dates of all epics from what they hold, and compares them.
func (p *plan) check(t *testing.T, about string) {
	list, _, err := work.ListEpics(t.Context(), p.Store, work.EpicFilter{Viewer: work.Viewer{All: true}},
		db.Page{Limit: 100})
	require.NoError(t, err)
	issues, _, err := work.ListIssues(t.Context(), p.Store, work.IssueFilter{Viewer: work.Viewer{All: true}},
		db.Page{Limit: 100})
	require.NoError(t, err)
	milestones, err := work.MilestonesByID(t.Context(), p.Store, p.milestones)
	require.NoError(t, err)
	var dates func(e work.Epic) (start, due *db.Date)
	dates = func(e work.Epic) (start, due *db.Date) {
		var starts, dues []*db.Date
		for _, i := range issues {
			if i.EpicID != nil && *i.EpicID == e.ID && i.MilestoneID != nil {
				m := milestones[*i.MilestoneID]
				starts, dues = append(starts, m.StartDate), append(dues, m.DueDate)
			}
		}
		for _, c := range list {
			if c.ParentID != nil && *c.ParentID == e.ID {
				s, d := dates(c)
				starts, dues = append(starts, s), append(dues, d)
			}
		}
		start, due = extreme(starts, -1), extreme(dues, 1)
		if e.StartDateIsFixed {
			start = e.StartDateFixed
		}
		if e.DueDateIsFixed {
			due = e.DueDateFixed
		}
		return start, due
	}
	for _, e := range list {
		start, due := dates(e)
		require.Equal(t, fmt.Sprint(start, due), fmt.Sprint(e.StartDate, e.DueDate), "%s: epic %d", about, e.ID)
	}
}

// extreme returns the earliest (-1) or the latest (1) of the days that there are.
func extreme(days []*db.Date, sign int) (most *db.Date) {
	for _, d := range days {
		if d != nil && (most == nil || d.Compare(most.Time) == sign) {
			most = d
		}
	}
	return most
}

// The dates of epics follow from milestones and children, whatever changes.
func TestEpicDates(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		p := newPlan(t, seed)
		for n := range 60 {
			p.step(t)
			p.check(t, fmt.Sprintf("seed %d, step %d", seed, n))
		}
	}
}

// Issues that come to an epic at once all count for its dates, and each has a place of its own.
func TestAddToEpicAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlan(t, 1)
	var all sync.WaitGroup
	for _, id := range p.issues {
		all.Go(func() {
			_, err := work.ChangeIssue(t.Context(), p.Store, p.site, p.alice, db.ByID(id),
				func(_ *db.Store, i *work.Issue) error {
					i.EpicID, i.MilestoneID = &p.epics[0], &p.milestones[id%4]
					return nil
				})
			require.NoError(t, err)
		})
	}
	all.Wait()
	p.check(t, "all in one epic")
	places, err := db.Values[int](t.Context(), p.Store, `
		select epic_position from issues where epic_id = @epic order by 1`, pgx.NamedArgs{"epic": p.epics[0]})
	require.NoError(t, err)
	require.Len(t, places, len(p.issues))
	require.Len(t, slices.Compact(places), len(p.issues), "two issues have one place")
}

// Of two epics that become each other's parent at once, one is refused.
func TestParentsAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlan(t, 2)
	outcomes := make([]error, 2)
	var all sync.WaitGroup
	for n := range outcomes {
		all.Go(func() {
			_, outcomes[n] = work.ChangeEpic(t.Context(), p.Store, p.acme, p.alice, db.ByID(p.epics[n]),
				func(_ *db.Store, e *work.Epic) error {
					e.ParentID = &p.epics[1-n]
					return nil
				})
		})
	}
	all.Wait()
	require.NotEqual(t, outcomes[0] == nil, outcomes[1] == nil, "%v, %v", outcomes[0], outcomes[1])
}

// Of several equal links that are made at once, in both directions, one is made.
func TestLinksAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlan(t, 3)
	epics, err := work.EpicsByID(t.Context(), p.Store, p.epics)
	require.NoError(t, err)
	issues, err := work.IssuesByID(t.Context(), p.Store, p.issues)
	require.NoError(t, err)
	for name, link := range map[string]func(from, to int) error{
		"issues": func(from, to int) error {
			_, err := work.LinkIssues(t.Context(), p.Store, p.alice, issues[p.issues[from]], issues[p.issues[to]],
				work.RelatesTo)
			return err
		},
		"epics": func(from, to int) error {
			source, target := epics[p.epics[from]], epics[p.epics[to]]
			_, err := work.LinkEpics(t.Context(), p.Store, p.alice, source, target, work.Blocks)
			return err
		},
	} {
		outcomes := make([]error, 4)
		var all sync.WaitGroup
		for n := range outcomes {
			all.Go(func() { outcomes[n] = link(n%2, 1-n%2) })
		}
		all.Wait()
		made := 0
		for _, err := range outcomes {
			if err == nil {
				made++
				continue
			}
			require.Equal(t, fault.CodeConflict, fault.CodeOf(err), "%s: %v", name, err)
		}
		require.Equal(t, 1, made, name)
	}
}
