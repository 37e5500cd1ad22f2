package load

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/transfer/archive"
)

// storeMilestones makes the milestones that neither the project nor a group above it has.
func storeMilestones(ctx context.Context, b *batch, documents []Document) error {
	var w wanted
	err := each(b, documents, func(_ Document, m *archive.Milestone) error {
		if err := checkTitle("title", m.Title); err != nil {
			return err
		}
		if _, err := date("start_date", m.StartDate); err != nil {
			return err
		}
		if _, err := date("due_date", m.DueDate); err != nil {
			return err
		}
		if m.StartDate != nil && m.DueDate != nil && *m.DueDate < *m.StartDate {
			return invalid("due_date: must be greater than start date")
		}
		w.milestone(m)
		return nil
	})
	if err != nil {
		return err
	}
	return b.find(ctx, w)
}

// findMilestones finds milestones; a new one keeps its number if it was the project's and the
// number is free.
func (b *batch) findMilestones(ctx context.Context, list []*archive.Milestone) (map[string]int64, error) {
	names := titlesOf(list, func(m *archive.Milestone) string { return m.Title })
	found, err := b.lookUp(ctx, names, `
		select t.id, t.title as name from milestones t
		where (t.project_id = @project or t.namespace_id = any(@above::bigint[])) and t.title = any(@names)`+nearest)
	if err != nil || len(found) == len(names) {
		return found, err
	}
	if err := b.reserve(ctx, "milestones", len(names)-len(found)); err != nil {
		return nil, err
	}
	taken := map[int]bool{}
	var last int
	iids, err := db.Values[int](ctx, b.st, `select iid from milestones where project_id = @project`,
		pgx.NamedArgs{"project": b.project.ID})
	if err != nil {
		return nil, err
	}
	for _, iid := range iids {
		taken[iid] = true
		last = max(last, iid)
	}
	made := map[string]row{}
	var late []row
	for _, m := range list {
		if _, ok := found[m.Title]; ok || checkTitle("title", m.Title) != nil {
			continue
		}
		r, err := b.milestone(m)
		if err != nil {
			continue // it is a failure where it is a document of its own
		}
		found[m.Title], made[m.Title] = r["id"].(int64), r
		if iid, err := number(m.IID); err == nil && m.GroupID == nil && !taken[iid] {
			taken[iid], r["iid"] = true, iid
			last = max(last, iid)
		} else {
			late = append(late, r)
		}
		b.add("milestones", r)
	}
	for _, r := range late {
		last++
		r["iid"] = last
	}
	b.iids["milestone"] = max(b.iids["milestone"], last)
	for _, m := range list {
		if r := made[m.Title]; r != nil {
			b.addEvents(m.Events, row{
				"target_type": "Milestone", "target_id": r["id"], "target_iid": r["iid"], "milestone_id": r["id"],
			})
			delete(made, m.Title)
		}
	}
	return found, nil
}

// milestone returns the row of a milestone without its number.
func (b *batch) milestone(m *archive.Milestone) (row, error) {
	start, err := date("start_date", m.StartDate)
	if err != nil {
		return nil, err
	}
	due, err := date("due_date", m.DueDate)
	if err != nil {
		return nil, err
	}
	if start != nil && due != nil && due.(string) < start.(string) {
		return nil, invalid("due_date: must be greater than start date")
	}
	created, updated := span(m.CreatedAt, m.UpdatedAt)
	return row{
		"id": b.take("milestones"), "project_id": b.project.ID, "title": m.Title, "description": quoted(m.Description),
		"state": oneOf(m.State, "active", "closed"), "start_date": start, "due_date": due,
		"created_at": created, "updated_at": updated,
	}, nil
}
