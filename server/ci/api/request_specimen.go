package api

import (
	"context"

	"hew/server/code"
	"hew/server/db"
	"hew/server/merge"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/protect"
)

// specimenRequest makes a merge request that pipelines can be started of.
func specimenRequest(ctx context.Context, h *db.Store, at part.Place) (merge.Request, error) {
	by := code.Author{
		Pusher: protect.Pusher{Who: policy.Who{ID: at.Owner.ID, Level: policy.Owner}}, User: at.Owner, Web: true,
	}
	const branch = "tested"
	if _, err := code.CreateCommit(ctx, h, code.NewCommit{
		Project: at.Project, By: by, Branch: branch, StartBranch: at.Project.Head, Message: "Propose something",
		Actions: []code.Action{{Do: "create", Path: "proposed.txt", Content: new("text\n")}},
	}); err != nil {
		return merge.Request{}, err
	}
	from := merge.Branch{Project: at.Project, Name: branch}
	into := merge.Branch{Project: at.Project, Name: at.Project.Head}
	return merge.Create(ctx, h, from, into, at.Owner, func(_ *db.Store, r *merge.Request) error {
		r.Title = "Propose something"
		return nil
	})
}
