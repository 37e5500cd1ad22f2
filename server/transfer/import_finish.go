package transfer

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/project"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

// finish ends the import: the project takes the place of the one that it replaces, and the archive
// and what is secret of its source are forgotten.
func (i importer) finish(ctx context.Context, row archiveImport, document archive.Project) error {
	return i.st.Tx(ctx, func(st *db.Store) error {
		if row.ReplacesID != nil {
			if err := i.replace(ctx, st, row); err != nil {
				return err
			}
		}
		if document.Archived {
			if _, err := project.ArchiveProject(ctx, st, i.task.ProjectID); err != nil {
				return err
			}
		}
		return project.EndImport(ctx, st, i.task, "")
	})
}

// replace gives the project the name and path that it was imported for. The project that has them
// is removed.
func (i importer) replace(ctx context.Context, st *db.Store, row archiveImport) error {
	old, err := tree.HoldProject(ctx, st, *row.ReplacesID)
	if err == nil {
		err = project.RemoveReplaced(ctx, st, old)
	}
	if fault.IgnoreNotFound(err) != nil {
		return err
	}
	p, err := tree.HoldProject(ctx, st, i.task.ProjectID)
	if err != nil {
		return err
	}
	p.Name, p.Path = row.Name, row.Path
	_, err = project.UpdateProject(ctx, st, p)
	return err
}
