package forge

import (
	"context"

	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/store"
)

// CreateProject makes a project in its namespace, with the user as its creator. What is wrong with it is one fault about
// all fields.
func CreateProject(ctx context.Context, st *store.Store, q *jobs.Queue, p store.Project, creator store.User) (store.Project, error) {
	err := st.Tx(ctx, func(st *store.Store) error {
		space, err := st.Place(ctx, p.NamespaceID)
		if err != nil {
			return err
		}
		NameProject(&p)
		if err := CheckVisibility(ctx, st, p.Visibility, creator); err != nil {
			return err
		}
		if err := checkProject(ctx, st, p, space); err != nil {
			return err
		}
		if p, err = st.CreateProject(ctx, p, creator.ID); err != nil {
			return err
		}
		return event.Emit(ctx, st, q, ProjectCreated{p})
	})
	return p, err
}

// ChangeProject lets change edit the project as it is stored, while nobody else can, and stores the outcome. A new path
// leaves a redirect from the old one.
func ChangeProject(ctx context.Context, st *store.Store, id int64, change func(*store.Project) error) (store.Project, error) {
	return projects.edit(ctx, st, id, func(st *store.Store, p *store.Project) error {
		if err := change(p); err != nil {
			return err
		}
		space, err := st.Place(ctx, p.NamespaceID)
		if err != nil {
			return err
		}
		return checkProject(ctx, st, *p, space)
	})
}

// TransferProject moves a project into another namespace, with a redirect from its old path. In a less visible group it
// becomes as visible as that.
func TransferProject(ctx context.Context, st *store.Store, id int64, to store.Group) (p store.Project, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if p, err = moveProject(ctx, st, id, to); err != nil {
			return err
		}
		return event.Emit(ctx, st, nil, AccessLost{Source: store.InProject(p)})
	})
	return p, err
}

func moveProject(ctx context.Context, st *store.Store, id int64, to store.Group) (store.Project, error) {
	return projects.edit(ctx, st, id, func(st *store.Store, p *store.Project) error {
		if p.NamespaceID == to.ID {
			return transferFailed("Project is already in this namespace.")
		}
		to, err := st.Place(ctx, to.ID)
		if err != nil {
			return err
		}
		name, path, err := st.NamesTaken(ctx, *p, to)
		switch {
		case err != nil:
			return err
		case name || path:
			return transferFailed("Project with same name or path in target namespace already exists")
		}
		p.NamespaceID = to.ID
		if to.Kind == "group" {
			p.Visibility = min(p.Visibility, to.Visibility)
		}
		return nil
	})
}

// transferFailed prints the errors of the record in the form that the public service's language gives them (gaps §4.2).
func transferFailed(why string) error {
	return fault.BadRequest(`Failed to transfer project {:new_namespace=>["` + why + `"]}`).In(fault.Text)
}

// DeleteProject marks a project for deletion by a user. While the instance keeps nothing, it is removed right after.
func DeleteProject(ctx context.Context, st *store.Store, q *jobs.Queue, id int64, by store.User) error {
	return projects.mark(ctx, st, q, id, by)
}

// RemoveProject removes a project that is marked for deletion without waiting any longer. Whoever asks repeats its full
// path, so that nobody removes another one than he means.
func RemoveProject(ctx context.Context, st *store.Store, q *jobs.Queue, id int64, fullPath string) error {
	return projects.hasten(ctx, st, q, id, func(p store.Project) error { return projects.due(p, p.FullPath, fullPath) })
}

// RestoreProject takes the mark for deletion off again.
func RestoreProject(ctx context.Context, st *store.Store, id int64) (store.Project, error) {
	return projects.restore(ctx, st, id)
}

// ArchiveProject makes the project read-only; one that is archived stays as it is.
func ArchiveProject(ctx context.Context, st *store.Store, id int64) (store.Project, error) {
	return archive(ctx, st, id, true)
}

// UnarchiveProject ends that; one that is not archived stays as it is.
func UnarchiveProject(ctx context.Context, st *store.Store, id int64) (store.Project, error) {
	return archive(ctx, st, id, false)
}

func archive(ctx context.Context, st *store.Store, id int64, archived bool) (store.Project, error) {
	p, err := st.Project(ctx, id)
	if err != nil || p.Archived == archived {
		return p, err
	}
	return projects.edit(ctx, st, id, func(_ *store.Store, p *store.Project) error {
		p.Archived = archived
		return nil
	})
}
