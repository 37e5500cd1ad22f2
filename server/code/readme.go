package code

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/protect"
)

// Listeners give new projects the first commit that they are to begin with.
var Listeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e project.Created) error {
		if !e.Seed.Readme {
			return nil
		}
		text := "# " + e.Project.Name + "\n"
		if d := e.Project.Description; d != nil && *d != "" {
			text += "\n" + *d + "\n"
		}
		creator := protect.Pusher{Who: policy.Who{ID: e.Creator.ID, Level: policy.Owner}}
		_, err := CreateCommit(ctx, st, NewCommit{
			Project: e.Project, By: Author{Pusher: creator, User: e.Creator, Web: true}, Branch: e.Project.Head,
			Message: "Initial commit", Actions: []Action{{Do: "create", Path: "README.md", Content: &text}},
		})
		return err
	}),
}
