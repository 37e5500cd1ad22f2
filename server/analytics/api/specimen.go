package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/protect"
)

// specimen gives a project n funnels.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	if at.ProjectID == nil {
		return part.Values{}, nil
	}
	commit := code.NewCommit{
		Project: at.Project, Branch: at.Project.Head, Message: "Define funnels", By: code.Author{
			Pusher: protect.Pusher{Who: policy.Who{ID: at.Owner.ID, Level: policy.Owner}}, User: at.Owner, Web: true,
		},
	}
	for i := range n {
		funnel := fmt.Sprintf("name: Funnel %d\nseconds_to_convert: 3600\nsteps:\n"+
			"  - {name: Page, target: /page.html, action: pageview}\n", i)
		commit.Actions = append(commit.Actions, code.Action{
			Do: "create", Path: fmt.Sprintf(".gitlab/analytics/funnels/%d.yaml", i), Content: &funnel,
		})
	}
	_, err := code.CreateCommit(ctx, h, commit)
	return part.Values{}, err
}
