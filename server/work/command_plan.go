package work

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/markdown"
	"hew/server/quick"
)

// setMilestone sets the milestone with a title; the nearest of a title counts.
func setMilestone[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	title := quick.Milestone(argument)
	list, err := MilestonesNamed(ctx, st, (*t).Target().Container, []string{title}, nil)
	if err != nil || len(list) == 0 {
		return "", err
	}
	*partsOf(t).MilestoneID = &list[0].ID
	r.Changes("milestone_id", list[0].ID)
	return "Set the milestone to %" + quick.Quote(title) + ".", nil
}

func removeMilestone[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, _ string,
) (string, error) {
	id := partsOf(t).MilestoneID
	if *id == nil {
		return "", nil
	}
	byID, err := MilestonesByID(ctx, st, []int64{**id})
	title := byID[**id].Title
	*id = nil
	r.Changes("milestone_id", nil)
	return "Removed %" + quick.Quote(title) + " milestone.", err
}

// iterationRef is how texts refer to an iteration: *iteration:5 or *iteration:"Sprint 5".
var iterationRef = regexp.MustCompile(`^\*iteration:(?:([0-9]{1,18})|"([^"]+)"|(\S+))$`)

// setIteration sets an iteration of the groups above the project, by its id or title.
func setIteration(ctx context.Context, st *db.Store, r *issueRun, i *Issue, argument string) (string, error) {
	parts := iterationRef.FindStringSubmatch(argument)
	if parts == nil {
		return "", nil
	}
	id, _ := strconv.ParseInt("0"+parts[1], 10, 64) // digits
	list, err := db.Many[Iteration](ctx, st, selectIterations+`
		where t.namespace_id in (select unnest(g.traversal_ids) from namespaces g where g.id = @namespace)
		and (t.id = @id or t.title = @title) order by t.id limit 1`,
		pgx.NamedArgs{"namespace": r.on.Project.NamespaceID, "id": id, "title": parts[2] + parts[3]})
	if err != nil || len(list) == 0 {
		return "", err
	}
	i.IterationID = &list[0].ID
	r.Changes("iteration_id", list[0].ID)
	return fmt.Sprintf("Set the iteration to *iteration:%d.", list[0].ID), nil
}

func removeIteration(_ context.Context, _ *db.Store, r *issueRun, i *Issue, _ string) (string, error) {
	if i.IterationID == nil {
		return "", nil
	}
	said := fmt.Sprintf("Removed *iteration:%d iteration.", *i.IterationID)
	i.IterationID = nil
	r.Changes("iteration_id", nil)
	return said, nil
}

// setEpic adds the issue to the epic that a reference names: &5, acme&5 or a URL.
func setEpic(ctx context.Context, st *db.Store, r *issueRun, i *Issue, argument string) (string, error) {
	list, err := r.Actor.Viewer.ReferredEpics(ctx, st, r.on.At, markdown.References(argument))
	if err != nil || len(list) != 1 {
		return "", err
	}
	if err := r.Actor.Viewer.SetEpic(ctx, st, r.on.Project, i, list[0].ID, 0); err != nil {
		if _, refused := fault.From(err); refused {
			return "", nil
		}
		return "", err
	}
	r.Changes("epic_id", i.EpicID)
	return "Added an issue to an epic.", nil
}

func removeEpic(_ context.Context, _ *db.Store, r *issueRun, i *Issue, _ string) (string, error) {
	if i.EpicID == nil {
		return "", nil
	}
	i.EpicID = nil
	r.Changes("epic_id", nil)
	return "Removed an issue from an epic.", nil
}
