package ci

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/tree"
)

// CreateEnvironment stores the environment that edit sets up.
func CreateEnvironment(
	ctx context.Context, st *db.Store, projectID int64, name string, edit func(*Environment) error,
) (Environment, error) {
	row := NewEnvironment(projectID, name)
	if err := edit(&row); err != nil {
		return row, err
	}
	if err := row.check(); err != nil {
		return row, err
	}
	return Environments(st, projectID).Create(ctx, row)
}

// ChangeEnvironment edits an environment and returns it. Its name and slug stay.
func ChangeEnvironment(
	ctx context.Context, st *db.Store, projectID, id int64, edit func(*Environment) error,
) (Environment, error) {
	return Environments(st, projectID).Change(ctx, db.ByID(id), db.Checked(edit, Environment.check))
}

// check returns the problems of an environment.
func (e Environment) check() error {
	var wrong check.Problems
	switch {
	case e.Name == "":
		wrong.On("name", "can't be blank")
	case wrong.Fits("name", e.Name, 255) && !catalogue.IsEnvironmentName(e.Name):
		wrong.On("name", "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it "+
			"cannot start or end with '/'")
	}
	if e.ExternalURL != nil && *e.ExternalURL != "" {
		wrong.Fits("external_url", *e.ExternalURL, 255)
		if !catalogue.IsEnvironmentURL(*e.ExternalURL) {
			wrong.On("external_url", "is not a valid URL")
		}
	}
	return wrong.Err()
}

// DeleteEnvironment deletes an environment that is stopped.
func DeleteEnvironment(
	ctx context.Context, st *db.Store, projectID, id int64, unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		e, err := Environments(st, projectID).One(ctx, db.ByID(id))
		if err != nil {
			return err
		}
		if e.State != Stopped {
			return fault.Forbidden("Environment must be stopped before deletion")
		}
		return Environments(st, projectID).Delete(ctx, db.ByID(id), unless)
	})
}

// StopEnvironment stops an environment: by the manual job that its last deployment names for it,
// unless it is to be forced or there is none. May says whether that job may be started or passed
// over.
func StopEnvironment(
	ctx context.Context, st *db.Store, projectID, id int64, by tree.User, force bool, may func(Job) error,
) (e Environment, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if e, err = Environments(st, projectID).One(ctx, db.ByID(id)); err != nil {
			return err
		}
		stop, err := stopJob(ctx, st, e)
		if err != nil {
			return err
		}
		if stop != nil {
			if err := may(*stop); err != nil {
				return err
			}
		}
		if stop != nil && !force {
			if _, err = PlayJob(ctx, st, *stop, by); err != nil {
				return err
			}
		}
		state := Stopped
		if stop != nil && !force {
			state = Stopping
		}
		e, err = Environments(st, projectID).Change(ctx, db.ByID(id), db.Plain(func(e *Environment) error {
			e.State, e.AutoStopAt = state, nil
			return nil
		}))
		return err
	})
	return e, err
}

// stopJob returns the manual job that stops an environment, beside the job that deployed last; nil
// if there is none.
func stopJob(ctx context.Context, st *db.Store, e Environment) (*Job, error) {
	last, err := LastDeployment(ctx, st, e.ID)
	if err != nil || last == nil || last.JobID == nil {
		return nil, err
	}
	deployer, err := FindJob(ctx, st, *last.JobID)
	if err != nil {
		return nil, fault.IgnoreNotFound(err)
	}
	d, err := ReadDefinition(ctx, st, deployer)
	if err != nil || d.Environment == nil || d.Environment.OnStop == "" {
		return nil, err
	}
	j, err := newestJob(ctx, st, deployer.PipelineID, d.Environment.OnStop)
	if err != nil || j.Status != status.Manual {
		return nil, fault.IgnoreNotFound(err)
	}
	return &j, nil
}

// stopEnvironments asks to stop the environments whose time is up.
type stopEnvironments struct{ jobs.Sole }

// Kind implements jobs.Args.
func (stopEnvironments) Kind() string { return "stop_environments" }

func stopExpired(ctx context.Context, st *db.Store, _ stopEnvironments) error {
	return StopExpired(ctx, st, time.Now())
}

// StopExpired stops the environments whose time is up.
func StopExpired(ctx context.Context, st *db.Store, now time.Time) error {
	due, err := db.Many[Environment](ctx, st, `
		select * from environments where auto_stop_at <= @now order by auto_stop_at limit 100`, pgx.NamedArgs{"now": now})
	if err != nil {
		return err
	}
	var failed []error
	for _, e := range due {
		if err := stopInTime(ctx, st, e); err != nil {
			failed = append(failed, err)
			// the others have their turn first
			failed = append(failed, st.Exec(ctx, `update environments set auto_stop_at = @later where id = @id`,
				pgx.NamedArgs{"id": e.ID, "later": now.Add(time.Hour)}))
		}
	}
	return errors.Join(failed...)
}

// stopInTime stops an environment whose time is up, in the name of who deployed to it last.
func stopInTime(ctx context.Context, st *db.Store, e Environment) error {
	last, err := LastDeployment(ctx, st, e.ID)
	if err != nil {
		return err
	}
	var by tree.User
	if last != nil && last.UserID != nil {
		by.ID = *last.UserID
	}
	_, err = StopEnvironment(ctx, st, e.ProjectID, e.ID, by, by.ID == 0, func(Job) error { return nil })
	return err
}
