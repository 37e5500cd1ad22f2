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

// RegisterRunner creates a runner with a registration token, in the group, project or instance of
// the token (gaps §10.4). The settings can refuse all such tokens, or those of groups or projects.
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

// AssignRunner assigns a project's runner to another project as well (gaps §10.5), if may allows
// it. Only administrators assign a locked runner.
func AssignRunner(
	ctx context.Context, st *db.Store, runnerID, projectID int64, by auth.Caller, may func(FoundRunner) error,
) (r FoundRunner, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if _, err := holdRunner(ctx, st, runnerID); err != nil {
			return err
		}
		if r, err = RunnerFor(ctx, st, runnerID, by.ID()); err != nil {
			return err
		}
		if err := may(r); err != nil {
			return err
		}
		switch {
		case r.Type == InstanceRunner:
			return fault.Forbidden("Runner is shared")
		case r.Type == GroupRunner:
			return fault.Forbidden("Runner is a group runner")
		case r.Locked && !by.Admin():
			return fault.Forbidden("Runner is locked")
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

// UnassignRunner removes a runner from a project that is not its only one. It fails if unless
// fails, which gets the time of the assignment.
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
