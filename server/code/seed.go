package code

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/event"
	"hew/server/jobs"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/protect"
)

// Listeners give new projects the commit that they are to begin with, and projects a repository
// that they are to import.
var Listeners = []event.Listener{
	event.On(fillRepository),
	event.On(func(ctx context.Context, st *db.Store, e project.ImportBegun) error {
		return jobs.Enqueue(ctx, st, importJob{ProjectID: e.Project.ID})
	}),
}

func fillRepository(ctx context.Context, st *db.Store, e project.Created) error {
	creator := protect.Pusher{Who: policy.Who{ID: e.Creator.ID, Level: policy.Owner}}
	n := NewCommit{
		Project: e.Project, By: Author{Pusher: creator, User: e.Creator, Web: true}, Branch: e.Project.Head,
		Message: "Initial commit",
	}
	switch {
	case e.Seed.ImportURL != "":
		return nil
	case e.Seed.Template != "":
		files, err := project.TemplateFiles(e.Seed.Template)
		if err != nil {
			return err
		}
		n.Message = fmt.Sprintf("Initialized from '%s' project template", e.Seed.Template)
		for _, f := range files {
			n.Actions = append(n.Actions, Action{Do: "create", Path: f.Path, Content: &f.Text})
		}
	case e.Seed.Readme:
		text := "# " + e.Project.Name + "\n"
		if d := e.Project.Description; d != nil && *d != "" {
			text += "\n" + *d + "\n"
		}
		n.Actions = []Action{{Do: "create", Path: "README.md", Content: &text}}
	default:
		return nil
	}
	_, err := CreateCommit(ctx, st, n)
	return err
}
