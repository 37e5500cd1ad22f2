package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/part"
	"hew/server/todo"
	"hew/server/tree"
	"hew/server/work"
)

// specimen makes n to-dos for the owner and for root, about issues that are assigned to them.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ID() != 0 {
		return values, nil
	}
	root, err := tree.FindUser(ctx, h, 1)
	if err != nil {
		return nil, err
	}
	for k := range n + 1 {
		i, err := work.CreateIssue(ctx, h, at.Project, at.Owner, func(_ *db.Store, i *work.Issue) error {
			i.Title = fmt.Sprintf("Look at %d", k)
			if k > 0 { // the first one can still be marked
				i.AssigneeIDs = []int64{at.Owner.ID, root.ID}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if k == 0 {
			values["issue_iid"] = fmt.Sprint(i.IID)
			continue
		}
	}
	mine, _, err := todo.List(ctx, h, todo.Filter{Viewer: work.Viewer{UserID: at.Owner.ID, All: true}}, db.Page{Limit: 1})
	if err != nil {
		return nil, err
	}
	values["todo_id"], values["epic_iid"] = fmt.Sprint(mine[0].ID), "1"
	values["merge_request_iid"] = "1"
	_, err = h.Insert(ctx, "merge_requests", specimenRequest{
		ProjectID: at.Project.ID, IID: 1, Title: "Look at it", SourceBranch: "looked-at", TargetBranch: "main",
	})
	if err != nil {
		return nil, err
	}
	_, err = h.Insert(ctx, "epics", specimenEpic{NamespaceID: at.Group.ID, IID: 1, Title: "Look at all"})
	return values, err
}

// specimenRequest is a row of merge_requests.
type specimenRequest struct {
	ID           int64  `db:"id,auto"`
	ProjectID    int64  `db:"project_id"`
	IID          int    `db:"iid"`
	Title        string `db:"title"`
	SourceBranch string `db:"source_branch"`
	TargetBranch string `db:"target_branch"`
}

// specimenEpic is a row of epics.
type specimenEpic struct {
	ID          int64  `db:"id,auto"`
	NamespaceID int64  `db:"namespace_id"`
	IID         int    `db:"iid"`
	Title       string `db:"title"`
}
