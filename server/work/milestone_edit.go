package work

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/tree"
)

// CreateMilestone stores the milestone that fill sets up in a group or project (gaps §6.4).
func CreateMilestone(
	ctx context.Context, st *db.Store, c db.Container, by tree.User, fill func(*Milestone) error,
) (Milestone, error) {
	m := Milestone{Container: c, State: "active"}
	err := st.Tx(ctx, func(st *db.Store) (err error) {
		if err := fill(&m); err != nil {
			return err
		}
		if err := checkMilestone(ctx, st, &m); err != nil {
			return err
		}
		if m, err = insertMilestone(ctx, st, m); err != nil {
			return err
		}
		return event.Emit(ctx, st, MilestoneChanged{Milestone: m, Action: Opening, By: by})
	})
	return m, err
}

// ChangeMilestone edits a milestone of a group or project and returns it.
func ChangeMilestone(
	ctx context.Context, st *db.Store, c db.Container, by tree.User, id int64, change func(*Milestone) error,
) (m Milestone, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		var before Milestone
		m, err = Milestones(st, c).Change(ctx, db.ByID(id), func(st *db.Store, m *Milestone) error {
			before = *m
			if err := change(m); err != nil {
				return err
			}
			return checkMilestone(ctx, st, m)
		})
		if err != nil {
			return err
		}
		action := actionOf(before.State, m.State)
		return event.Emit(ctx, st, MilestoneChanged{Before: before, Milestone: m, Action: action, By: by})
	})
	return m, err
}

// DeleteMilestone deletes a milestone of a group or project. It calls unless with the time of the
// last change, and deletes nothing if that returns an error.
func DeleteMilestone(
	ctx context.Context, st *db.Store, c db.Container, by tree.User, id int64,
	unless func(ctx context.Context, changed time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		m, err := Milestones(st, c).One(ctx, db.ByID(id))
		if err != nil {
			return err
		}
		err = lockWithIssues(ctx, st, `milestone_id = @of`, id, func(st *db.Store) error {
			return st.Exec(ctx, `select from milestones where id = @id for update`, pgx.NamedArgs{"id": id})
		})
		if err != nil {
			return err
		}
		if err := Milestones(st, c).Delete(ctx, db.ByID(id), unless); err != nil {
			return err
		}
		return event.Emit(ctx, st, MilestoneDeleted{Milestone: m, By: by})
	})
}

// PromoteMilestone moves a milestone of a project to the project's group, under a new id and
// number. Milestones of the same title in other projects of the group are merged into it: it gets
// their issues.
func PromoteMilestone(ctx context.Context, st *db.Store, p tree.Project, id int64) (m Milestone, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if m, err = Milestones(st, p.Container()).One(ctx, db.ByID(id)); err != nil {
			return err
		}
		if p.NamespaceKind != "group" {
			return fault.BadRequest("Promotion failed - Project does not belong to a group.").In(fault.Text)
		}
		m.ID, m.Container = 0, db.Container{NamespaceID: &p.NamespaceID}
		merged, err := setAsideMilestones(ctx, st, m.Container, m.Title)
		if err != nil {
			return err
		}
		if err := checkMilestone(ctx, st, &m); err != nil {
			return err
		}
		if m, err = insertMilestone(ctx, st, m); err != nil {
			return err
		}
		return mergeMilestones(ctx, st, merged, m)
	})
	return m, err
}

// checkMilestone trims the title of a milestone and returns an error if a field is invalid or the
// title is in use.
func checkMilestone(ctx context.Context, st *db.Store, m *Milestone) error {
	var wrong check.Problems
	if m.Title = strings.TrimSpace(m.Title); m.Title == "" {
		wrong.On("title", check.Blank)
	}
	if wrong.Fits("title", m.Title, 255) {
		taken, err := isTitleTaken(ctx, st, *m)
		if err != nil {
			return err
		}
		if taken {
			wrong.On("title", milestoneTaken)
		}
	}
	if m.StartDate != nil && m.DueDate != nil && m.DueDate.Before(m.StartDate.Time) {
		wrong.On("due_date", "must be greater than start date")
	}
	return wrong.Err()
}
