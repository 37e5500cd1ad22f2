package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/part"
	"hew/server/work"
)

// epicSpecimen makes an epic in the group of a place with n issues, n children and n links. The
// children are also what it is linked with, and have labels and the state that they got by
// changes.
func epicSpecimen(ctx context.Context, h *db.Store, at part.Place, n int, values part.Values) error {
	parent, err := newSpecimenEpic(ctx, h, at, "Plan", 0, 0)
	if err != nil {
		return err
	}
	for k := range n {
		child, err := newSpecimenEpic(ctx, h, at, fmt.Sprintf("Part %d", k), parent.ID, k)
		if err != nil {
			return err
		}
		l, err := work.LinkEpics(ctx, h, at.Owner, parent, child, work.RelatesTo)
		if err != nil {
			return err
		}
		i, err := newSpecimenIssue(ctx, h, at, fmt.Sprintf("Step %d", k), "one of the plan")
		if err != nil {
			return err
		}
		if i, err = work.AddToEpic(ctx, h, at.Project, at.Owner, parent, i.ID); err != nil {
			return err
		}
		values["child_epic_id"], values["related_epic_link_id"] = fmt.Sprint(child.ID), fmt.Sprint(l.ID)
		values["groups/issue_id"], values["epic_issue_id"] = fmt.Sprint(i.ID), fmt.Sprint(*i.EpicIssueID)
	}
	values["epic_iid"], values["epic_id"] = fmt.Sprint(parent.IID), fmt.Sprint(parent.ID)
	return nil
}

func newSpecimenEpic(
	ctx context.Context, h *db.Store, at part.Place, title string, parent int64, k int,
) (work.Epic, error) {
	return work.CreateEpic(ctx, h, at.Group, at.Owner, func(st *db.Store, e *work.Epic) (err error) {
		e.Title, e.ParentID = title, idOrNone(parent)
		label := work.LabelChoice{Set: []string{fmt.Sprintf("part-%d of %s", k, at)}}
		e.LabelIDs, err = label.Apply(ctx, st, at.Container, nil, true)
		return err
	})
}
