package work

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/markdown"
	"hew/server/quick"
)

// setMilestone sets the milestone with a title; the nearest of a title counts.
func setMilestone(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, argument string) (string, error) {
	title := quick.Milestone(argument)
	list, err := MilestonesNamed(ctx, st, i.Target().Container, []string{title}, nil)
	if err != nil || len(list) == 0 {
		return "", err
	}
	i.MilestoneID = &list[0].ID
	r.changes("milestone_id", list[0].ID)
	return "Set the milestone to %" + quick.Quote(title) + ".", nil
}

func removeMilestone(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.MilestoneID == nil {
		return "", nil
	}
	byID, err := MilestonesByID(ctx, st, []int64{*i.MilestoneID})
	title := byID[*i.MilestoneID].Title
	i.MilestoneID = nil
	r.changes("milestone_id", nil)
	return "Removed %" + quick.Quote(title) + " milestone.", err
}

// iterationRef is how texts refer to an iteration: *iteration:5 or *iteration:"Sprint 5".
var iterationRef = regexp.MustCompile(`^\*iteration:(?:([0-9]{1,18})|"([^"]+)"|(\S+))$`)

// setIteration sets an iteration of the groups above the project, by its id or title.
func setIteration(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, argument string) (string, error) {
	parts := iterationRef.FindStringSubmatch(argument)
	if parts == nil {
		return "", nil
	}
	id, _ := strconv.ParseInt("0"+parts[1], 10, 64) // digits
	list, err := db.Many[Iteration](ctx, st, selectIterations+`
		where t.namespace_id in (select unnest(g.traversal_ids) from namespaces g where g.id = @namespace)
		and (t.id = @id or t.title = @title) order by t.id limit 1`,
		pgx.NamedArgs{"namespace": r.project.NamespaceID, "id": id, "title": parts[2] + parts[3]})
	if err != nil || len(list) == 0 {
		return "", err
	}
	i.IterationID = &list[0].ID
	r.changes("iteration_id", list[0].ID)
	return fmt.Sprintf("Set the iteration to *iteration:%d.", list[0].ID), nil
}

func removeIteration(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.IterationID == nil {
		return "", nil
	}
	said := fmt.Sprintf("Removed *iteration:%d iteration.", *i.IterationID)
	i.IterationID = nil
	r.changes("iteration_id", nil)
	return said, nil
}

// epicPath is the path of the page of an epic.
var epicPath = regexp.MustCompile(`^groups/([\w./-]+?)/-/epics/([0-9]{1,9})(?:[#?].*)?$`)

// setEpic adds the issue to the epic that a reference names: &5, acme&5 or a URL.
func setEpic(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, argument string) (string, error) {
	refs := markdown.References(argument)
	if len(refs) != 1 {
		return "", nil
	}
	path, iid := r.project.NamespaceFullPath, refs[0].Number
	switch refs[0].Kind {
	case markdown.Epic:
		if refs[0].Path != "" {
			path = refs[0].Path
		}
	case markdown.URL:
		below, _ := strings.CutPrefix(refs[0].URL, r.actor.Base+"/")
		parts := epicPath.FindStringSubmatch(below)
		if parts == nil {
			return "", nil
		}
		path = parts[1]
		iid, _ = strconv.ParseInt(parts[2], 10, 64) // digits
	default:
		return "", nil
	}
	ids, err := r.actor.Viewer.epicsAt(ctx, st, path, iid)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	if err := r.actor.Viewer.SetEpic(ctx, st, r.project, i, ids[0], 0); err != nil {
		if _, refused := fault.From(err); refused {
			return "", nil
		}
		return "", err
	}
	r.changes("epic_id", i.EpicID)
	return "Added an issue to an epic.", nil
}

// epicsAt returns the id of the epic with a number in the group with a path, if the viewer sees it.
func (v Viewer) epicsAt(ctx context.Context, s *db.Store, path string, iid int64) ([]int64, error) {
	args := v.Args()
	args["path"], args["iid"] = strings.ToLower(path), iid
	return db.Values[int64](ctx, s, `
		select t.id from epics t join namespaces n on n.id = t.namespace_id
		join routes r on r.namespace_id = n.id and r.key = @path and not r.former
		where t.iid = @iid::bigint and (`+v.seesEpics()+`) and (`+v.seesConfidentialEpics()+`)`, args)
}

func removeEpic(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.EpicID == nil {
		return "", nil
	}
	i.EpicID = nil
	r.changes("epic_id", nil)
	return "Removed an issue from an epic.", nil
}
