package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/part"
	"hew/server/tree"
	"hew/server/work"
)

// issueSpecimen makes an issue in the project of a place, and another that it is linked with for
// each of the labels. The first one mentions as many users, and all kinds of events have happened
// to it as often. The others have the last of the milestones.
func issueSpecimen(
	ctx context.Context, h *db.Store, at part.Place, labels, milestones []int64, values part.Values,
) error {
	mentions, err := NewReaders(ctx, h, at, "reader", len(labels))
	if err != nil {
		return err
	}
	first, err := newSpecimenIssue(ctx, h, at, "Bug", mentions, nil)
	if err != nil {
		return err
	}
	if err := changeIssue(ctx, h, at, first, labels, milestones); err != nil {
		return err
	}
	for k := range labels {
		i, err := newSpecimenIssue(ctx, h, at, fmt.Sprintf("Bug %d", k), "- [x] found\n- [ ] fixed", milestones)
		if err != nil {
			return err
		}
		l, err := work.LinkIssues(ctx, h, at.Owner, first, i, work.RelatesTo)
		if err != nil {
			return err
		}
		values["issue_link_id"] = fmt.Sprint(l.ID)
	}
	if err := NoteSpecimen(ctx, h, at, len(labels), first.Target(), "projects", values); err != nil {
		return err
	}
	values["issue_iid"], values["issues/issue_id"] = fmt.Sprint(first.IID), fmt.Sprint(first.ID)
	return EventValues(ctx, h, first.Target(), "projects", values)
}

// newSpecimenIssue makes an issue with the last of the milestones, if there are any.
func newSpecimenIssue(
	ctx context.Context, h *db.Store, at part.Place, title, text string, milestones []int64,
) (work.Issue, error) {
	return work.CreateIssue(ctx, h, at.Project, at.Owner, func(_ *db.Store, i *work.Issue) error {
		i.Title, i.Description = title, &text
		i.AssigneeIDs = []int64{at.Owner.ID}
		if len(milestones) > 0 {
			i.MilestoneID = &milestones[len(milestones)-1]
		}
		return nil
	})
}

// NewReaders makes n users called by a word who see everything, and returns a text that mentions
// them.
func NewReaders(ctx context.Context, h *db.Store, at part.Place, word string, n int) (mentions string, err error) {
	for k := range n {
		name := fmt.Sprintf("%s-%d-%d", word, at.Project.ID, k)
		u := tree.NewUser(name, name, name+"@example.com")
		u.Admin = true
		if _, err := tree.CreateUser(ctx, h, u); err != nil {
			return "", err
		}
		mentions += "@" + name + " "
	}
	return mentions, nil
}
