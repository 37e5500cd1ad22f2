package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/part"
	"hew/server/work"
)

// epicSpecimen makes an epic in the group of a place, and an issue of it, a child and a link for
// each of the labels. It has got the labels, and changed its state, as often. The issues have the
// last of the milestones.
func epicSpecimen(
	ctx context.Context, h *db.Store, at part.Place, labels, milestones []int64, values part.Values,
) error {
	parent, err := newSpecimenEpic(ctx, h, at, "Plan", 0)
	if err != nil {
		return err
	}
	for k, label := range labels {
		child, err := newSpecimenEpic(ctx, h, at, fmt.Sprintf("Part %d", k), parent.ID)
		if err != nil {
			return err
		}
		l, err := work.LinkEpics(ctx, h, at.Owner, parent, child, work.RelatesTo)
		if err != nil {
			return err
		}
		i, err := newSpecimenIssue(ctx, h, at, fmt.Sprintf("Step %d", k), "one of the plan", milestones)
		if err != nil {
			return err
		}
		if i, err = work.AddToEpic(ctx, h, at.Project, at.Owner, parent, i.ID); err != nil {
			return err
		}
		_, err = work.ChangeEpic(ctx, h, at.Group, at.Owner, db.ByID(parent.ID), func(_ *db.Store, e *work.Epic) error {
			e.LabelIDs, e.State = append(e.LabelIDs, label), otherState[e.State]
			return nil
		})
		if err != nil {
			return err
		}
		values["child_epic_id"], values["related_epic_link_id"] = fmt.Sprint(child.ID), fmt.Sprint(l.ID)
		values["groups/issue_id"], values["epic_issue_id"] = fmt.Sprint(i.ID), fmt.Sprint(*i.EpicIssueID)
	}
	if err := NoteSpecimen(ctx, h, at, len(labels), parent.Target(), "groups", values); err != nil {
		return err
	}
	values["epic_iid"], values["epic_id"] = fmt.Sprint(parent.IID), fmt.Sprint(parent.ID)
	return EventValues(ctx, h, parent.Target(), "groups", values)
}

func newSpecimenEpic(
	ctx context.Context, h *db.Store, at part.Place, title string, parent int64,
) (work.Epic, error) {
	return work.CreateEpic(ctx, h, at.Group, at.Owner, func(_ *db.Store, e *work.Epic) error {
		e.Title, e.ParentID = title, db.NilIfZero(parent)
		return nil
	})
}
