package project

import (
	"context"

	"hew/server/db"
	"hew/server/tree"
)

// ArchiveProject makes a project read-only. It does nothing if the project is archived already.
func ArchiveProject(ctx context.Context, st *db.Store, id int64) (tree.Project, error) {
	return setArchival(ctx, st, id, archived)
}

// UnarchiveProject makes a project writable again. It does nothing if the project is not archived.
func UnarchiveProject(ctx context.Context, st *db.Store, id int64) (tree.Project, error) {
	return setArchival(ctx, st, id, unarchived)
}

// archival says whether a project is read-only.
type archival bool

const (
	archived   archival = true
	unarchived archival = false
)

func setArchival(ctx context.Context, st *db.Store, id int64, to archival) (tree.Project, error) {
	p, err := tree.FindProject(ctx, st, id)
	if err != nil || archival(p.Archived) == to {
		return p, err
	}
	return projects.Edit(ctx, st, id, func(_ *db.Store, p *tree.Project) error {
		p.Archived = bool(to)
		return nil
	})
}
