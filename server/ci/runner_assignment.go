package ci

import (
	"context"
	"slices"
	"time"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// RegisterRunner makes a runner of the group, project or instance that a registration token is of (gaps §10.4). The instance
// may be closed to all of these tokens, or to those of groups or of projects.
func RegisterRunner(
	ctx context.Context, st *db.Store, token string, fill func(*Runner) error,
) (RunnerWithToken, error) {
	settings, err := setting.Read(ctx, st)
	switch {
	case err != nil:
		return RunnerWithToken{}, err
	case !settings.RegistrationTokens:
		return RunnerWithToken{}, fault.Gone("runner registration disallowed")
	}
	c, err := FindRegistration(ctx, st, token)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return RunnerWithToken{}, fault.Forbidden("")
	case err != nil:
		return RunnerWithToken{}, err
	case c != db.Container{} && !slices.Contains(settings.RunnerRegistrars, c.Kind()):
		return RunnerWithToken{}, fault.Forbidden("")
	}
	return CreateRunner(ctx, st, c, fill)
}

// AssignRunner lets a project's runner work for another project as well (gaps §10.5), if the caller may do that with it. One
// that is locked stays where it is, unless an administrator moves it.
func AssignRunner(
	ctx context.Context, st *db.Store, runnerID, projectID int64, by auth.Caller, may func(FoundRunner) error,
) (r FoundRunner, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if _, err := holdRunner(ctx, st, runnerID); err != nil {
			return err
		}
		r, err = RunnerFor(ctx, st, runnerID, by.ID())
		switch {
		case err != nil:
			return err
		case r.Type == InstanceRunner:
			return fault.Forbidden("Runner is shared")
		case r.Type == GroupRunner:
			return fault.Forbidden("Runner is a group runner")
		case r.Locked && !by.Admin():
			return fault.Forbidden("Runner is locked")
		}
		if err := may(r); err != nil {
			return err
		}
		_, err := Assignments(st, projectID).One(ctx, assignmentByRunner(runnerID))
		switch {
		case err == nil:
			return fault.BadRequest("runner is already assigned to project")
		case fault.CodeOf(err) != fault.CodeNotFound:
			return err
		}
		if err := checkRunnerLimit(ctx, st, db.Container{ProjectID: &projectID}); err != nil {
			return err
		}
		_, err = Assignments(st, projectID).Create(ctx, Assignment{ProjectID: projectID, RunnerID: runnerID})
		return err
	})
	return r, err
}

// UnassignRunner takes a runner away from a project, unless it is the only one that the runner works for, or the time of its
// assignment speaks against it.
func UnassignRunner(
	ctx context.Context, st *db.Store, runnerID, projectID int64, unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if _, err := holdRunner(ctx, st, runnerID); err != nil {
			return err
		}
		assigned := Assignments(st, projectID)
		if _, err := assigned.One(ctx, assignmentByRunner(runnerID)); err != nil {
			return err
		}
		r, err := RunnerFor(ctx, st, runnerID, 0)
		switch {
		case err != nil:
			return err
		case r.Projects == 1:
			return fault.Forbidden("Only one project associated with the runner. Please remove the runner instead")
		}
		return assigned.Delete(ctx, assignmentByRunner(runnerID), unless)
	})
}
