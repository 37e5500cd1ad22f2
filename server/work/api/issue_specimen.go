package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/part"
	"hew/server/tree"
	"hew/server/work"
)

// issueSpecimen makes an issue in the project of a place, and n others that it is linked with. The
// first one mentions n users.
func issueSpecimen(ctx context.Context, h *db.Store, at part.Place, n int, values part.Values) error {
	mentions, err := newReaders(ctx, h, at, n)
	if err != nil {
		return err
	}
	first, err := newSpecimenIssue(ctx, h, at, "Bug", mentions)
	if err != nil {
		return err
	}
	for k := range n {
		i, err := newSpecimenIssue(ctx, h, at, fmt.Sprintf("Bug %d", k), "- [x] found\n- [ ] fixed")
		if err != nil {
			return err
		}
		l, err := work.LinkIssues(ctx, h, at.Owner, first, i, work.RelatesTo)
		if err != nil {
			return err
		}
		values["issue_link_id"] = fmt.Sprint(l.ID)
	}
	values["issue_iid"], values["issues/issue_id"] = fmt.Sprint(first.IID), fmt.Sprint(first.ID)
	return nil
}

func newSpecimenIssue(ctx context.Context, h *db.Store, at part.Place, title, text string) (work.Issue, error) {
	return work.CreateIssue(ctx, h, at.Project, at.Owner, func(_ *db.Store, i *work.Issue) error {
		i.Title, i.Description = title, &text
		i.AssigneeIDs = []int64{at.Owner.ID}
		return nil
	})
}

// newReaders makes n users who see everything, and returns a text that mentions them.
func newReaders(ctx context.Context, h *db.Store, at part.Place, n int) (mentions string, err error) {
	for k := range n {
		name := fmt.Sprintf("reader-%d-%d", at.Project.ID, k)
		u := tree.NewUser(name, name, name+"@example.com")
		u.Admin = true
		if _, err := tree.CreateUser(ctx, h, u); err != nil {
			return "", err
		}
		mentions += "@" + name + " "
	}
	return mentions, nil
}
