package transfer

import (
	"context"
	"fmt"
	"strings"

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
// is removed, if it is still the one that the import was asked to replace; it may be gone already.
func (i importer) replace(ctx context.Context, st *db.Store, row archiveImport) error {
	old, err := tree.HoldProject(ctx, st, *row.ReplacesID)
	if fault.IgnoreNotFound(err) != nil {
		return err
	}
	found := err == nil
	p, err := tree.HoldProject(ctx, st, i.task.ProjectID)
	if err != nil {
		return err
	}
	if found {
		if old.NamespaceID != p.NamespaceID || !strings.EqualFold(old.Path, row.Path) {
			return sourceError(fmt.Sprintf("the project that the import was to replace is now %s: it was left as it is",
				old.FullPath))
		}
		if err := mayReplace(ctx, st, row.UserID, p.NamespaceID); err != nil {
			return err
		}
		if err := project.RemoveReplaced(ctx, st, old); err != nil {
			return err
		}
	}
	p.Name, p.Path = row.Name, row.Path
	_, err = project.UpdateProject(ctx, st, p)
	return err
}

// mayReplace returns why a user may no longer replace projects of a namespace: since the import was
// asked for, the user may have been blocked, or may own it no longer.
func mayReplace(ctx context.Context, st *db.Store, userID, namespaceID int64) error {
	u, err := tree.FindUser(ctx, st, userID)
	if err != nil {
		return err
	}
	level, err := tree.LevelIn(ctx, st, db.Container{NamespaceID: &namespaceID}, u.ID)
	if err != nil {
		return err
	}
	if u.State != "active" || !u.Admin && u.NamespaceID != namespaceID && level < db.Owner {
		return sourceError("the user who asked for the import may no longer replace the project: it was left as it is")
	}
	return nil
}
