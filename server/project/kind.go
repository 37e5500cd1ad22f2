package project

import (
	"context"

	"hew/server/db"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/tree"
)

var (
	projects = group.Kind[tree.Project]{
		Name: "Project", Word: "project", Hold: func(ctx context.Context, st *db.Store, id int64) (tree.Project, error) {
			return tree.HoldProject(ctx, st, id)
		}, Save: func(ctx context.Context, st *db.Store, t tree.Project) (tree.Project, error) {
			return UpdateProject(ctx, st, t)
		},
		End: func(p *tree.Project) *tree.Deletion { return &p.Deletion },
		Job: func(id int64) jobs.Args { return RemovalJob{ID: id} },
	}
)
