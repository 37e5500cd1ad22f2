package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/merge"
	"hew/server/part"
	"hew/server/tree"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// ofRoot makes n merge requests of root between other branches, with a milestone of the group.
func ofRoot(ctx context.Context, h *db.Store, at part.Place, by code.Author, n int, values part.Values) error {
	root, err := tree.FindUser(ctx, h, 1)
	if err != nil {
		return err
	}
	m, err := newMilestone(ctx, h, at.Group.Container(), at.Owner, fmt.Sprintf("Release of %s", at))
	if err != nil {
		return err
	}
	values["groups/milestone_id"] = fmt.Sprint(m.ID)
	start := code.NewCommit{
		Project: at.Project, By: by, Branch: "release", StartBranch: at.Project.Head, Message: "Begin a release",
		Actions: []code.Action{{Do: "create", Path: "release.txt", Content: new("first\n")}},
	}
	if _, err := code.CreateCommit(ctx, h, start); err != nil {
		return err
	}
	for i := range n {
		from := merge.Branch{Project: at.Project, Name: fmt.Sprint("proposal-", i)}
		into := merge.Branch{Project: at.Project, Name: "release"}
		_, err := merge.Create(ctx, h, from, into, root, func(_ *db.Store, r *merge.Request) error {
			r.Title = fmt.Sprint("Release ", i)
			r.MilestoneID = &m.ID
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func newMilestone(
	ctx context.Context, h *db.Store, in db.Container, by tree.User, title string,
) (work.Milestone, error) {
	return work.CreateMilestone(ctx, h, in, by, func(m *work.Milestone) error {
		m.Title = title
		return nil
	})
}

// shared makes n of each of what a merge request has as issues do: labels, events of them, notes
// and reactions. N merge requests refer to one issue, the last one to n, and all have a milestone.
func shared(ctx context.Context, h *db.Store, at part.Place, r merge.Request, n int, values part.Values) error {
	p := at.Project
	text, err := workapi.NewReaders(ctx, h, at, "reviewer", n)
	if err != nil {
		return err
	}
	for k := range n {
		u, err := tree.UserByName(ctx, h, fmt.Sprintf("reviewer-%d-%d", p.ID, k))
		if err != nil {
			return err
		}
		r.ReviewerIDs = append(r.ReviewerIDs, u.ID)
		i, err := work.CreateIssue(ctx, h, p, at.Owner, func(_ *db.Store, i *work.Issue) error {
			i.Title = fmt.Sprint("To be merged ", k)
			return nil
		})
		if err != nil {
			return err
		}
		text += fmt.Sprintf("Closes #%d\n", i.IID)
		values["issue_iid"] = fmt.Sprint(i.IID)
	}
	reviewers := r.ReviewerIDs
	var m work.Milestone
	for k := range n {
		l, err := work.CreateLabel(ctx, h, at.Container, func(l *work.Label) error {
			l.Name, l.Color = fmt.Sprintf("merge-%d of %s", k, at), "#FF0000"
			return nil
		})
		if err != nil {
			return err
		}
		if m, err = newMilestone(ctx, h, at.Container, at.Owner, fmt.Sprintf("Merge %d of %s", k, at)); err != nil {
			return err
		}
		r, err = merge.Change(ctx, h, p, at.Owner, r.ID, func(_ *db.Store, r *merge.Request) error {
			r.Description, r.LabelIDs, r.MilestoneID = &text, append(r.LabelIDs, l.ID), &m.ID
			r.ReviewerIDs = reviewers
			return nil
		})
		if err != nil {
			return err
		}
		for _, state := range []string{merge.Closed, merge.Opened} {
			if r, err = merge.Change(ctx, h, p, at.Owner, r.ID, func(_ *db.Store, r *merge.Request) error {
				r.State = state
				return nil
			}); err != nil {
				return err
			}
		}
	}
	values["projects/milestone_id"] = fmt.Sprint(m.ID)
	list, _, err := merge.List(ctx, h, merge.Filter{Viewer: work.Viewer{All: true}, In: at.Container}, db.Page{Limit: n})
	if err != nil {
		return err
	}
	for _, other := range list {
		if _, err := merge.Change(ctx, h, p, at.Owner, other.ID, func(_ *db.Store, r *merge.Request) error {
			r.MilestoneID, r.Description = &m.ID, &text
			return nil
		}); err != nil {
			return err
		}
	}
	if err := workapi.NoteSpecimen(ctx, h, at, n, r.Target(), "projects", values); err != nil {
		return err
	}
	return workapi.EventValues(ctx, h, r.Target(), "projects", values)
}
