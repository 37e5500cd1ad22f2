package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/note"
	"hew/server/part"
	"hew/server/work"
)

// otherState maps each state of issues and epics to the other one.
var otherState = map[string]string{work.Opened: work.Closed, work.Closed: work.Opened}

// newIterations makes n iterations in the group of a place, a day each.
func newIterations(ctx context.Context, h *db.Store, at part.Place, n int, values part.Values) error {
	for k := range n {
		i, err := work.CreateIteration(ctx, h, at.Group.ID, func(i *work.Iteration) error {
			i.StartDate = db.Today().Add(k)
			i.DueDate = i.StartDate
			return nil
		})
		if err != nil {
			return err
		}
		values["iteration_id"] = fmt.Sprint(i.ID)
	}
	return nil
}

// changeIssue has an event of each kind happen to an issue for each of the labels.
func changeIssue(
	ctx context.Context, h *db.Store, at part.Place, i work.Issue, labels, milestones []int64,
) error {
	iterations, _, err := work.ListIterations(ctx, h, at.Group.ID, work.IterationFilter{}, db.Page{Limit: len(labels)})
	if err != nil {
		return err
	}
	for k, label := range labels {
		_, err := work.ChangeIssue(ctx, h, at.Project, at.Owner, db.ByID(i.ID), func(_ *db.Store, i *work.Issue) error {
			i.LabelIDs, i.State = append(i.LabelIDs, label), otherState[i.State]
			i.MilestoneID, i.IterationID, i.Weight = &milestones[k], &iterations[k].ID, new(k+1)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// EventValues says what {event_id} stands for below the paths of the events of an issue, epic or
// merge request.
func EventValues(ctx context.Context, h *db.Store, on note.Target, first string, values part.Values) error {
	for _, field := range eventFields {
		list, _, err := work.ResourceEvents(ctx, h, on, field, db.Page{Limit: 1})
		if err != nil {
			return err
		}
		if len(list) > 0 {
			values[fmt.Sprintf("%s/resource_%s_events/event_id", first, field)] = fmt.Sprint(list[0].ID)
		}
	}
	return nil
}
