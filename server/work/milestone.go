package work

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Milestone is a row of milestones, which group issues and merge requests by a date (gaps §6.4).
// A milestone of a group applies to everything below the group.
type Milestone struct {
	ID  int64 `db:"id,auto" json:"id"`
	IID int   `db:"iid" json:"iid"` // its number within the group or project
	db.Container
	Title       string    `db:"title" json:"title"`
	Description *string   `db:"description" json:"description"`
	State       string    `db:"state" json:"state"` // active, closed
	CreatedAt   time.Time `db:"created_at,auto" json:"created_at"`
	UpdatedAt   time.Time `db:"updated_at,auto" json:"updated_at"`
	DueDate     *db.Date  `db:"due_date" json:"due_date"`
	StartDate   *db.Date  `db:"start_date" json:"start_date"`
	Path        string    `db:"path,auto" json:"-"` // the full path of the group or project
}

const selectMilestones = `
	select t.*, coalesce(n.full_path, p.full_path) as path
	from milestones t left join namespaces n on n.id = t.namespace_id left join projects p on p.id = t.project_id`

// Milestones returns the milestones that a group or project holds itself.
func Milestones(s *db.Store, c db.Container) db.Held[Milestone] {
	milestones := db.NewHeld[Milestone](s, c, "milestones")
	milestones.What, milestones.Select = "Milestone", selectMilestones
	return milestones
}

// MilestoneFilter narrows a list of milestones; a zero field narrows nothing.
type MilestoneFilter struct {
	Above         bool // add those of the groups above; IIDs is ignored because each group numbers its own
	IIDs          []int
	State         string
	Title         string
	Search        string // text in the title or description
	UpdatedAfter  *time.Time
	UpdatedBefore *time.Time
}

// ListMilestones returns a page of the milestones of a group or project, newest first, and their
// total.
func ListMilestones(
	ctx context.Context, s *db.Store, c db.Container, f MilestoneFilter, p db.Page,
) ([]Milestone, int, error) {
	w := db.NewWhere(nil)
	if f.Above {
		c.WithinOrAbove(w, "t")
	} else {
		c.Within(w, "t")
	}
	w.AndIf(f.IIDs != nil && !f.Above, `t.iid = any(@iids)`, f.IIDs)
	w.AndIf(f.State != "", `t.state = @state`, f.State)
	w.AndIf(f.Title != "", `t.title = @title`, f.Title)
	w.AndIf(f.Search != "", `t.title ilike @like or t.description ilike @like`, tree.Infix(f.Search))
	w.AndIf(f.UpdatedAfter != nil, `t.updated_at >= @updated_after`, f.UpdatedAfter)
	w.AndIf(f.UpdatedBefore != nil, `t.updated_at <= @updated_before`, f.UpdatedBefore)
	p.Desc = true
	return db.List[Milestone](ctx, s, p, nil, "t.id", selectMilestones, w)
}

// MilestonesNamed returns the milestones with one of the titles, or one of the ids, that apply to
// a group or project: its own and those of the groups above, in the order of their ids.
func MilestonesNamed(
	ctx context.Context, s *db.Store, c db.Container, titles []string, ids []int64,
) ([]Milestone, error) {
	w := db.NewWhere(nil)
	c.WithinOrAbove(w, "t")
	w.And(`t.title = any(@titles) or t.id = any(@ids)`, titles, ids)
	return db.Many[Milestone](ctx, s, selectMilestones+w.String()+` order by t.id`, w.Args)
}

// MilestonesByID returns milestones by their ids, wherever they are.
func MilestonesByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]Milestone, error) {
	list, err := db.Many[Milestone](ctx, s, selectMilestones+` where t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]Milestone, len(list))
	for _, m := range list {
		byID[m.ID] = m
	}
	return byID, err
}

// insertMilestone stores a milestone under the next number of its group or project.
func insertMilestone(ctx context.Context, s *db.Store, m Milestone) (Milestone, error) {
	err := s.Tx(ctx, func(s *db.Store) (err error) {
		if m.IID, err = s.NextIID(ctx, m.Container, "milestone"); err != nil {
			return err
		}
		m, err = Milestones(s, m.Container).Create(ctx, m)
		return err
	})
	return m, err
}

// isTitleTaken reports whether another milestone in the group or project, above it or below it
// has the title of a milestone. It locks the title until the end of the transaction.
func isTitleTaken(ctx context.Context, s *db.Store, m Milestone) (bool, error) {
	if err := s.Exclusively(ctx, "milestones called "+m.Title); err != nil {
		return false, err
	}
	w := db.NewWhere(nil)
	w.And(`t.title = @title`, m.Title)
	w.And(`t.id <> @id`, m.ID)
	if m.ProjectID != nil {
		m.WithinOrAbove(w, "t")
	} else {
		w.And(`exists (
			select from namespaces g join namespaces o on o.id = coalesce(t.namespace_id, p.namespace_id)
			where g.id = @namespace and (o.traversal_ids @> array[g.id]
				or t.namespace_id = any(g.traversal_ids)))`, m.NamespaceID)
	}
	return db.Value[bool](ctx, s, `
		select exists (select from milestones t left join projects p on p.id = t.project_id`+w.String()+`)`, w.Args)
}

// setAsideMilestones gives the milestones of a title in all projects below a group other titles
// and returns their ids, so that the group can have one of that title.
func setAsideMilestones(ctx context.Context, s *db.Store, group db.Container, title string) ([]int64, error) {
	return db.Values[int64](ctx, s, `
		update milestones m set title = 'merged ' || m.id from projects p, namespaces n
		where m.title = @title and p.id = m.project_id and n.id = p.namespace_id
			and n.traversal_ids @> array[@namespace::bigint]
		returning m.id`,
		pgx.NamedArgs{"title": title, "namespace": group.NamespaceID})
}

// mergeMilestones deletes milestones and gives their issues and merge requests, and the events of
// those, to another one.
func mergeMilestones(ctx context.Context, s *db.Store, ids []int64, into Milestone) error {
	for _, sql := range []string{
		`update issues set milestone_id = @into where milestone_id = any(@ids)`,
		`update merge_requests set milestone_id = @into where milestone_id = any(@ids)`,
		`update resource_events set milestone_id = @into where milestone_id = any(@ids)`,
		`delete from milestones where id = any(@ids)`,
	} {
		if err := s.Exec(ctx, sql, pgx.NamedArgs{"ids": ids, "into": into.ID}); err != nil {
			return err
		}
	}
	return nil
}
