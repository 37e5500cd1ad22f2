package forge

import (
	"context"

	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/store"
)

// CreateProject makes a project in its namespace, with the user as its creator. What is wrong with it is one fault about
// all fields.
func CreateProject(ctx context.Context, st *store.Store, p store.Project, creatorID int64) (store.Project, error) {
	err := st.Tx(ctx, func(st *store.Store) error {
		space, err := st.Place(ctx, p.NamespaceID)
		if err != nil {
			return err
		}
		NameProject(&p)
		if err := checkProject(ctx, st, p, space); err != nil {
			return err
		}
		p, err = st.CreateProject(ctx, p, creatorID)
		return err
	})
	return p, err
}

// ChangeProject lets change edit the project as it is stored, while nobody else can, and stores the outcome. A new path
// leaves a redirect from the old one.
func ChangeProject(ctx context.Context, st *store.Store, id int64, change func(*store.Project) error) (store.Project, error) {
	var p store.Project
	err := st.Tx(ctx, func(st *store.Store) (err error) {
		if p, err = st.HoldProject(ctx, id); err != nil {
			return err
		}
		if err := change(&p); err != nil {
			return err
		}
		space, err := st.Place(ctx, p.NamespaceID)
		if err != nil {
			return err
		}
		if err := checkProject(ctx, st, p, space); err != nil {
			return err
		}
		p, err = st.UpdateProject(ctx, p)
		return err
	})
	return p, err
}

// TransferProject moves a project into another namespace, with a redirect from its old path. In a less visible group it
// becomes as visible as that.
func TransferProject(ctx context.Context, st *store.Store, id int64, to store.Group) (store.Project, error) {
	var p store.Project
	err := st.Tx(ctx, func(st *store.Store) (err error) {
		if p, err = st.HoldProject(ctx, id); err != nil {
			return err
		}
		if p.NamespaceID == to.ID {
			return transferFailed("Project is already in this namespace.")
		}
		if to, err = st.Place(ctx, to.ID); err != nil {
			return err
		}
		name, path, err := st.NamesTaken(ctx, p, to)
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
		p, err = st.UpdateProject(ctx, p)
		return err
	})
	return p, err
}

// transferFailed prints the errors of the record in the form that the public service's language gives them (gaps §4.2).
func transferFailed(why string) error {
	return fault.BadRequest(`Failed to transfer project {:new_namespace=>["` + why + `"]}`).As(fault.Text)
}

// DeleteProject marks a project for deletion by a user. While the instance keeps nothing, it is removed right after.
func DeleteProject(ctx context.Context, st *store.Store, q *jobs.Queue, id, userID int64) error {
	settings, err := st.Settings(ctx)
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(st *store.Store) error {
		p, err := st.HoldProject(ctx, id)
		if err != nil {
			return err
		}
		if p.MarkedForDeletionOn != nil {
			return fault.BadRequest("Project has been already marked for deletion").As(fault.Text)
		}
		today := store.Today()
		p.MarkedForDeletionOn, p.DeletingUserID = &today, &userID
		if _, err := st.UpdateProject(ctx, p); err != nil || settings.DeletionAdjournedPeriod > 0 {
			return err
		}
		return q.Enqueue(ctx, st, jobs.RemoveProject{ID: id})
	})
}

// RemoveProject removes a project that is marked for deletion without waiting any longer. The full path is asked for so
// that nobody removes another one than he means.
func RemoveProject(ctx context.Context, st *store.Store, q *jobs.Queue, id int64, fullPath string) error {
	return st.Tx(ctx, func(st *store.Store) error {
		p, err := st.HoldProject(ctx, id)
		switch {
		case err != nil:
			return err
		case p.MarkedForDeletionOn == nil:
			return fault.BadRequest("Project must be marked for deletion first.").As(fault.Text)
		case p.FullPath != fullPath:
			return fault.BadRequest("`full_path` is incorrect. You must enter the complete path for the project.").As(fault.Text)
		}
		return q.Enqueue(ctx, st, jobs.RemoveProject{ID: id})
	})
}

// RestoreProject takes the mark for deletion off again.
func RestoreProject(ctx context.Context, st *store.Store, id int64) (store.Project, error) {
	var p store.Project
	err := st.Tx(ctx, func(st *store.Store) (err error) {
		if p, err = st.HoldProject(ctx, id); err != nil {
			return err
		}
		if p.MarkedForDeletionOn == nil {
			return fault.BadRequest("Project has not been marked for deletion").As(fault.Text)
		}
		p.MarkedForDeletionOn, p.DeletingUserID = nil, nil
		p, err = st.UpdateProject(ctx, p)
		return err
	})
	return p, err
}

// ArchiveProject makes a project read-only, or lets it be changed again. One that is so already stays so.
func ArchiveProject(ctx context.Context, st *store.Store, id int64, archived bool) (store.Project, error) {
	var p store.Project
	err := st.Tx(ctx, func(st *store.Store) (err error) {
		if p, err = st.HoldProject(ctx, id); err != nil || p.Archived == archived {
			return err
		}
		p.Archived = archived
		p, err = st.UpdateProject(ctx, p)
		return err
	})
	return p, err
}
