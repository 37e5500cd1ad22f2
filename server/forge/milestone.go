package forge

import (
	"context"
	"strings"

	"hew/server/fault"
	"hew/server/store"
)

// CreateMilestone makes a milestone in a group or project out of what fill says (gaps §6.4).
func CreateMilestone(
	ctx context.Context, st *store.Store, c store.Container, fill func(*store.Milestone) error,
) (store.Milestone, error) {
	m := store.Milestone{Container: c, State: "active"}
	err := st.Tx(ctx, func(st *store.Store) (err error) {
		if err := fill(&m); err != nil {
			return err
		}
		if err := checkMilestone(ctx, st, &m); err != nil {
			return err
		}
		m, err = st.CreateMilestone(ctx, m)
		return err
	})
	return m, err
}

// ChangeMilestone lets change edit a milestone of a group or project, and stores the outcome.
func ChangeMilestone(
	ctx context.Context, st *store.Store, c store.Container, id int64, change func(*store.Milestone) error,
) (m store.Milestone, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		m, err = st.Milestones(c).Change(ctx, store.ByID(id), func(m *store.Milestone) error {
			if err := change(m); err != nil {
				return err
			}
			return checkMilestone(ctx, st, m)
		})
		return err
	})
	return m, err
}

// PromoteMilestone makes a milestone of a project one of the group that the project is in. The milestones of other projects
// in and below that group that are called like it become one with it.
func PromoteMilestone(ctx context.Context, st *store.Store, p store.Project, id int64) (m store.Milestone, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if m, err = st.Milestones(p.Container()).One(ctx, store.ByID(id)); err != nil {
			return err
		}
		if p.NamespaceKind != "group" {
			return fault.BadRequest("Promotion failed - Project does not belong to a group.").In(fault.Text)
		}
		m.ID, m.Container = 0, store.Container{NamespaceID: &p.NamespaceID}
		if err := st.MergeMilestones(ctx, m); err != nil {
			return err
		}
		if err := checkMilestone(ctx, st, &m); err != nil {
			return err
		}
		m, err = st.CreateMilestone(ctx, m)
		return err
	})
	return m, err
}

// checkMilestone takes blanks off the title of a milestone, and says what is wrong with it, if anything.
func checkMilestone(ctx context.Context, st *store.Store, m *store.Milestone) error {
	var wrong problems
	if m.Title = strings.TrimSpace(m.Title); m.Title == "" {
		wrong.on("title", blank)
	}
	if wrong.fits("title", m.Title, 255) {
		taken, err := st.TitleTaken(ctx, *m)
		if err != nil {
			return err
		}
		if taken {
			wrong.on("title", "already being used for another group or project milestone.")
		}
	}
	if m.StartDate != nil && m.DueDate != nil && m.DueDate.Before(m.StartDate.Time) {
		wrong.on("due_date", "must be greater than start date")
	}
	return wrong.err()
}
