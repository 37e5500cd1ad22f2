package work

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/tree"
)

// Iterations returns the iterations that a group holds itself.
func Iterations(s *db.Store, groupID int64) db.Held[Iteration] {
	h := db.NewHeld[Iteration](s, db.Container{NamespaceID: &groupID}, "iterations")
	h.What, h.Select = "Iteration", selectIterations
	return h
}

// IterationFilter narrows a list of iterations; a zero field narrows nothing.
type IterationFilter struct {
	Above         bool // add those of the groups above
	Upcoming      bool // with Current: those that are not over
	Current       bool
	Closed        bool
	Search        string // text in the title
	UpdatedAfter  *time.Time
	UpdatedBefore *time.Time
}

// ListIterations returns a page of the iterations of a group or, for a project, of its group, by
// their first days, and their capped count.
func ListIterations(
	ctx context.Context, s *db.Store, groupID int64, f IterationFilter, p db.Page,
) ([]Iteration, int, error) {
	w := db.NewWhere(nil)
	c := db.Container{NamespaceID: &groupID}
	if f.Above {
		c.WithinOrAbove(w, "t")
	} else {
		c.Within(w, "t")
	}
	var states []string
	for _, s := range []struct {
		asked bool
		days  string
	}{
		{f.Upcoming, `t.start_date > @today`},
		{f.Current, `@today between t.start_date and t.due_date`},
		{f.Closed, `t.due_date < @today`},
	} {
		if s.asked {
			states = append(states, s.days)
		}
	}
	w.Args["today"] = db.Today()
	w.AndIf(len(states) > 0, strings.Join(states, ` or `))
	w.AndIf(f.Search != "", `t.title ilike @like`, tree.Infix(f.Search))
	w.AndIf(f.UpdatedAfter != nil, `t.updated_at >= @updated_after`, f.UpdatedAfter)
	w.AndIf(f.UpdatedBefore != nil, `t.updated_at <= @updated_before`, f.UpdatedBefore)
	p.Order = "start_date"
	return db.List[Iteration](ctx, s, p, db.Order{"start_date": `t.start_date`}, "t.id", selectIterations, w)
}

// CreateIteration stores the iteration that fill sets up in a group.
func CreateIteration(ctx context.Context, st *db.Store, groupID int64, fill func(*Iteration) error) (Iteration, error) {
	i := Iteration{NamespaceID: groupID}
	err := st.Tx(ctx, func(st *db.Store) (err error) {
		if err := fill(&i); err != nil {
			return err
		}
		if err := checkIteration(ctx, st, &i); err != nil {
			return err
		}
		if i.IID, err = st.NextIID(ctx, db.Container{NamespaceID: &groupID}, "iteration"); err != nil {
			return err
		}
		i, err = Iterations(st, groupID).Create(ctx, i)
		return err
	})
	return i, err
}

// ChangeIteration edits an iteration of a group and returns it.
func ChangeIteration(
	ctx context.Context, st *db.Store, groupID, id int64, change func(*Iteration) error,
) (Iteration, error) {
	return Iterations(st, groupID).Change(ctx, db.ByID(id), func(st *db.Store, i *Iteration) error {
		if err := change(i); err != nil {
			return err
		}
		return checkIteration(ctx, st, i)
	})
}

// checkIteration returns an error if a field of an iteration is invalid or another iteration of
// the group has some of its days: one is the current one at most.
func checkIteration(ctx context.Context, st *db.Store, i *Iteration) error {
	var wrong check.Problems
	if i.Title != nil {
		if *i.Title = strings.TrimSpace(*i.Title); *i.Title == "" {
			i.Title = nil
		}
	}
	wrong.Fits("title", db.OrZero(i.Title), 255)
	wrong.Fits("description", db.OrZero(i.Description), maxDescription)
	if i.DueDate.Before(i.StartDate.Time) {
		wrong.On("due_date", "must be greater than start date")
	}
	if err := st.Exclusively(ctx, "iterations of "+(db.Container{NamespaceID: &i.NamespaceID}).String()); err != nil {
		return err
	}
	overlaps, err := db.Value[bool](ctx, st, `
		select exists (select from iterations where namespace_id = @group and id <> @id
		    and start_date <= @due and due_date >= @start)`,
		pgx.NamedArgs{"group": i.NamespaceID, "id": i.ID, "due": i.DueDate, "start": i.StartDate})
	if err != nil {
		return err
	}
	if overlaps {
		wrong.On("base", "Dates cannot overlap with other existing Iterations within this iterations cadence")
	}
	return wrong.Err()
}
