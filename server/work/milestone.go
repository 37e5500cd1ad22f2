package work

import (
	"context"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// CreateMilestone makes a milestone in a group or project out of what fill says (gaps §6.4).
func CreateMilestone(
	ctx context.Context, st *db.Store, c db.Container, fill func(*Milestone) error,
) (Milestone, error) {
	m := Milestone{Container: c, State: "active"}
	err := st.Tx(ctx, func(st *db.Store) (err error) {
		if err := fill(&m); err != nil {
			return err
		}
		if err := checkMilestone(ctx, st, &m); err != nil {
			return err
		}
		m, err = InsertMilestone(ctx, st, m)
		return err
	})
	return m, err
}

// ChangeMilestone lets change edit a milestone of a group or project, and stores the outcome.
func ChangeMilestone(
	ctx context.Context, st *db.Store, c db.Container, id int64, change func(*Milestone) error,
) (Milestone, error) {
	return Milestones(st, c).Change(ctx, db.ByID(id), func(st *db.Store, m *Milestone) error {
		if err := change(m); err != nil {
			return err
		}
		return checkMilestone(ctx, st, m)
	})
}

// PromoteMilestone makes a milestone of a project one of the group that the project is in. The
// milestones of other projects in and below that group that are called like it become one with it.
func PromoteMilestone(ctx context.Context, st *db.Store, p tree.Project, id int64) (m Milestone, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if m, err = Milestones(st, p.Container()).One(ctx, db.ByID(id)); err != nil {
			return err
		}
		if p.NamespaceKind != "group" {
			return fault.BadRequest("Promotion failed - Project does not belong to a group.").In(fault.Text)
		}
		m.ID, m.Container = 0, db.Container{NamespaceID: &p.NamespaceID}
		if err := MergeMilestones(ctx, st, m); err != nil {
			return err
		}
		if err := checkMilestone(ctx, st, &m); err != nil {
			return err
		}
		m, err = InsertMilestone(ctx, st, m)
		return err
	})
	return m, err
}

// checkMilestone takes blanks off the title of a milestone, and says what is wrong with it, if
// anything.
func checkMilestone(ctx context.Context, st *db.Store, m *Milestone) error {
	var wrong check.Problems
	if m.Title = strings.TrimSpace(m.Title); m.Title == "" {
		wrong.On("title", check.Blank)
	}
	if wrong.Fits("title", m.Title, 255) {
		taken, err := TitleTaken(ctx, st, *m)
		if err != nil {
			return err
		}
		if taken {
			wrong.On("title", "already being used for another group or project milestone.")
		}
	}
	if m.StartDate != nil && m.DueDate != nil && m.DueDate.Before(m.StartDate.Time) {
		wrong.On("due_date", "must be greater than start date")
	}
	return wrong.Err()
}
