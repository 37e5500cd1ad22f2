package forge

import (
	"context"
	"slices"
	"time"

	"hew/server/auth"
	"hew/server/fault"
	"hew/server/store"
)

// RegisterRunner makes a runner of the group, project or instance that a registration token is of (gaps §10.4). The instance
// may be closed to all of these tokens, or to those of groups or of projects.
func RegisterRunner(
	ctx context.Context, st *store.Store, token string, fill func(*store.Runner) error,
) (NewRunner, error) {
	settings, err := st.Settings(ctx)
	switch {
	case err != nil:
		return NewRunner{}, err
	case !settings.RegistrationTokens:
		return NewRunner{}, fault.Gone("runner registration disallowed")
	}
	c, err := st.Registered(ctx, token)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return NewRunner{}, fault.Forbidden("")
	case err != nil:
		return NewRunner{}, err
	case c != store.Container{} && !slices.Contains(settings.RunnerRegistrars, c.Kind()):
		return NewRunner{}, fault.Forbidden("")
	}
	return CreateRunner(ctx, st, c, fill)
}

// AssignRunner lets a project's runner work for another project as well (gaps §10.5), if the caller may do that with it. One
// that is locked stays where it is, unless an administrator moves it.
func AssignRunner(
	ctx context.Context, st *store.Store, runnerID, projectID int64, by auth.Caller, may func(store.FoundRunner) error,
) (r store.FoundRunner, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if _, err := st.HoldRunner(ctx, runnerID); err != nil {
			return err
		}
		r, err = st.RunnerFor(ctx, runnerID, by.ID())
		switch {
		case err != nil:
			return err
		case r.Type == store.InstanceRunner:
			return fault.Forbidden("Runner is shared")
		case r.Type == store.GroupRunner:
			return fault.Forbidden("Runner is a group runner")
		case r.Locked && !by.Admin():
			return fault.Forbidden("Runner is locked")
		}
		if err := may(r); err != nil {
			return err
		}
		_, err := st.Assignments(projectID).One(ctx, store.OfRunner(runnerID))
		switch {
		case err == nil:
			return fault.BadRequest("runner is already assigned to project")
		case fault.CodeOf(err) != fault.CodeNotFound:
			return err
		}
		if err := roomForRunner(ctx, st, store.Container{ProjectID: &projectID}); err != nil {
			return err
		}
		_, err = st.Assignments(projectID).Create(ctx, store.Assignment{ProjectID: projectID, RunnerID: runnerID})
		return err
	})
	return r, err
}

// UnassignRunner takes a runner away from a project, unless it is the only one that the runner works for, or the time of its
// assignment speaks against it.
func UnassignRunner(
	ctx context.Context, st *store.Store, runnerID, projectID int64, unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *store.Store) error {
		if _, err := st.HoldRunner(ctx, runnerID); err != nil {
			return err
		}
		assigned := st.Assignments(projectID)
		if _, err := assigned.One(ctx, store.OfRunner(runnerID)); err != nil {
			return err
		}
		r, err := st.RunnerFor(ctx, runnerID, 0)
		switch {
		case err != nil:
			return err
		case r.Projects == 1:
			return fault.Forbidden("Only one project associated with the runner. Please remove the runner instead")
		}
		return assigned.Delete(ctx, store.OfRunner(runnerID), unless)
	})
}
