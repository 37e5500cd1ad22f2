package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/group"
	"hew/server/project"
)

// A project or group that moves elsewhere takes its issues along, but not what belongs to the
// groups that it leaves. Labels and milestones of those are replaced by ones of the same name that
// apply in the new place, and are copied into the project where there are none; epics and
// iterations are dropped.

func onProjectChanged(ctx context.Context, st *db.Store, e project.Changed) error {
	if e.Was.NamespaceID == e.Project.NamespaceID {
		return nil
	}
	return replaceForeign(ctx, st, `p.id = @id`, e.Project.ID)
}

func onGroupMoved(ctx context.Context, st *db.Store, e group.Moved) error {
	return replaceForeign(ctx, st, `n.traversal_ids @> array[@id::bigint]`, e.Group.ID)
}

// replaceForeign replaces or drops what issues of projects p of namespaces n have of groups that
// are not above them.
func replaceForeign(ctx context.Context, st *db.Store, moved string, id int64) error {
	args := pgx.NamedArgs{"id": id}
	from := `with moved as (
		select p.id, n.traversal_ids as above from projects p join namespaces n on n.id = p.namespace_id
		where ` + moved + `)`
	for _, sql := range []string{
		from + ` update issues i set epic_id = null, epic_issue_id = null, epic_position = null from moved m, epics e
			where i.project_id = m.id and e.id = i.epic_id and e.namespace_id <> all(m.above)`,
		from + ` update issues i set iteration_id = null from moved m, iterations t
			where i.project_id = m.id and t.id = i.iteration_id and t.namespace_id <> all(m.above)`,
		from + ` update resource_events r set iteration_id = null from moved m, issues i, iterations t
			where i.project_id = m.id and r.issue_id = i.id and t.id = r.iteration_id and t.namespace_id <> all(m.above)`,
	} {
		if err := st.Exec(ctx, sql, args); err != nil {
			return err
		}
	}
	if err := replaceForeignLabels(ctx, st, from, args); err != nil {
		return err
	}
	return replaceForeignMilestones(ctx, st, from, args)
}

// foreign is a label or milestone of a group that is not above a project that uses it.
type foreign struct {
	ProjectID int64 `db:"project_id"`
	ID        int64 `db:"id"`
}

func replaceForeignLabels(ctx context.Context, st *db.Store, from string, args pgx.NamedArgs) error {
	list, err := db.Many[foreign](ctx, st, from+`
		select distinct m.id as project_id, l.id from moved m join issues i on i.project_id = m.id, labels l
		where l.namespace_id <> all(m.above) and (
		    exists (select from issue_labels x where x.issue_id = i.id and x.label_id = l.id)
		    or exists (select from resource_events r where r.issue_id = i.id and r.label_id = l.id))
		order by 1, 2`, args)
	if err != nil {
		return err
	}
	for _, f := range list {
		in := db.Container{ProjectID: &f.ProjectID}
		l, err := db.One[LabelRef](ctx, st, "", `select id, name, color, description from labels where id = @id`,
			pgx.NamedArgs{"id": f.ID})
		if err != nil {
			return err
		}
		byName, err := labelsNamed(ctx, st, in, []string{l.Name})
		if err != nil {
			return err
		}
		to, ok := byName[l.Name]
		if !ok {
			made, err := CreateLabel(ctx, st, in, func(n *Label) error {
				n.Name, n.Color, n.Description = l.Name, l.Color, l.Description
				return nil
			})
			if err != nil {
				return err
			}
			to = made.ID
		}
		err = f.exchange(ctx, st, to,
			`insert into issue_labels (issue_id, label_id) select i.id, @to from issues i join issue_labels x on x.issue_id = i.id
			 where i.project_id = @project and x.label_id = @from on conflict do nothing`,
			`delete from issue_labels x using issues i where i.id = x.issue_id and i.project_id = @project and x.label_id = @from`,
			`update resource_events r set label_id = @to from issues i
			 where i.id = r.issue_id and i.project_id = @project and r.label_id = @from`)
		if err != nil {
			return err
		}
	}
	return nil
}

func replaceForeignMilestones(ctx context.Context, st *db.Store, from string, args pgx.NamedArgs) error {
	list, err := db.Many[foreign](ctx, st, from+`
		select distinct m.id as project_id, s.id from moved m join issues i on i.project_id = m.id, milestones s
		where s.namespace_id <> all(m.above) and (i.milestone_id = s.id
		    or exists (select from resource_events r where r.issue_id = i.id and r.milestone_id = s.id))
		order by 1, 2`, args)
	if err != nil {
		return err
	}
	for _, f := range list {
		in := db.Container{ProjectID: &f.ProjectID}
		byID, err := MilestonesByID(ctx, st, []int64{f.ID})
		if err != nil {
			return err
		}
		m := byID[f.ID]
		same, err := MilestonesNamed(ctx, st, in, []string{m.Title}, nil)
		if err != nil {
			return err
		}
		if len(same) == 0 {
			m.ID, m.Container = 0, in
			if m, err = insertMilestone(ctx, st, m); err != nil {
				return err
			}
			same = []Milestone{m}
		}
		err = f.exchange(ctx, st, same[0].ID,
			`update issues set milestone_id = @to where project_id = @project and milestone_id = @from`,
			`update resource_events r set milestone_id = @to from issues i
			 where i.id = r.issue_id and i.project_id = @project and r.milestone_id = @from`)
		if err != nil {
			return err
		}
	}
	return nil
}

// exchange runs the statements that put another label or milestone in the place of a foreign one.
func (f foreign) exchange(ctx context.Context, st *db.Store, to int64, statements ...string) error {
	for _, sql := range statements {
		err := st.Exec(ctx, sql, pgx.NamedArgs{"project": f.ProjectID, "from": f.ID, "to": to})
		if err != nil {
			return err
		}
	}
	return nil
}
