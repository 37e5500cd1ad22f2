package ci

import (
	"context"
	"fmt"
	"time"

	"hew/server/auth"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/setting"
)

// runnerPrefix begins the authentication tokens of runners (gaps §1.3).
const runnerPrefix = "glrt-"

// maxTags is how many tags a runner may have.
const maxTags = 50

// RunnerWithToken is a runner with its authentication token, which is known only when it is made.
type RunnerWithToken struct {
	Runner
	Token string
}

// CreateRunner creates a runner of a group or project, or of the instance for an empty container;
// fill completes it (gaps §10.4).
func CreateRunner(
	ctx context.Context, st *db.Store, c db.Container, fill func(*Runner) error,
) (fresh RunnerWithToken, err error) {
	fresh.Runner = NewRunner(c)
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := checkRunnerLimit(ctx, st, c); err != nil {
			return err
		}
		if err := db.Checked(fill, checkRunner)(st, &fresh.Runner); err != nil {
			return err
		}
		if err := fresh.setNewToken(ctx, st); err != nil {
			return err
		}
		fresh.Runner, err = insertRunner(ctx, st, fresh.Runner, c)
		return err
	})
	return fresh, err
}

// ChangeRunner applies change to a runner and stores it.
func ChangeRunner(ctx context.Context, st *db.Store, id int64, change func(*Runner) error) error {
	return changeRunner(ctx, st, id, db.Checked(change, checkRunner))
}

// ResetRunner gives a runner a new authentication token. The old one stops working.
func ResetRunner(ctx context.Context, st *db.Store, id int64) (fresh RunnerWithToken, err error) {
	err = changeRunner(ctx, st, id, func(st *db.Store, r *Runner) error {
		fresh.Runner = *r
		err := fresh.setNewToken(ctx, st)
		*r = fresh.Runner
		return err
	})
	return fresh, err
}

func changeRunner(ctx context.Context, st *db.Store, id int64, change db.Edit[Runner]) error {
	return st.Tx(ctx, func(st *db.Store) error {
		r, err := holdRunner(ctx, st, id)
		if err != nil {
			return err
		}
		if err := change(st, &r); err != nil {
			return err
		}
		return updateRunner(ctx, st, r)
	})
}

// DeleteRunner removes a runner for a caller. Only administrators remove one that works for several
// projects, since it has other maintainers. It fails if unless fails, which gets the time of the
// last change.
func DeleteRunner(
	ctx context.Context, st *db.Store, id int64, by auth.Caller, unless func(context.Context, time.Time) error,
) error {
	return removeRunnerIf(ctx, st, id, unless, func(ctx context.Context, st *db.Store) error {
		r, err := RunnerFor(ctx, st, id, by.ID())
		if err == nil && r.Projects > 1 && !by.Admin() {
			err = fault.Forbidden("Runner associated with more than one project")
		}
		return err
	})
}

// UnregisterRunner removes a runner on its own behalf. It fails if unless fails, which gets the
// time of the last change.
func UnregisterRunner(
	ctx context.Context, st *db.Store, id int64, unless func(context.Context, time.Time) error,
) error {
	return removeRunnerIf(ctx, st, id, unless, func(context.Context, *db.Store) error { return nil })
}

func removeRunnerIf(
	ctx context.Context, st *db.Store, id int64,
	unless func(context.Context, time.Time) error, may func(context.Context, *db.Store) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		r, err := holdRunner(ctx, st, id)
		if err != nil {
			return err
		}
		if err := may(ctx, st); err != nil {
			return err
		}
		if err := unless(ctx, r.UpdatedAt); err != nil {
			return err
		}
		return deleteRunnerRow(ctx, st, id)
	})
}

// setNewToken gives the runner a new token with the lifetime that the settings allow for its type.
func (n *RunnerWithToken) setNewToken(ctx context.Context, st *db.Store) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	n.Token = secret.NewToken(runnerPrefix)
	digest := secret.Digest(n.Token)
	n.Digest, n.TokenExpiresAt = digest[:], nil
	expiry := map[string]*int64{
		InstanceRunner: settings.InstanceRunnerExpiry,
		GroupRunner:    settings.GroupRunnerExpiry,
		ProjectRunner:  settings.ProjectRunnerExpiry,
	}[n.Type]
	if expiry != nil {
		n.TokenExpiresAt = new(time.Now().Add(time.Duration(*expiry) * time.Second).UTC().Truncate(time.Millisecond))
	}
	return nil
}

// checkRunnerLimit refuses another runner of a group or project that has as many as the plan allows
// (gaps §13.3).
func checkRunnerLimit(ctx context.Context, st *db.Store, c db.Container) error {
	if c == (db.Container{}) {
		return nil
	}
	plan, err := setting.ReadPlanLimits(ctx, st, "default")
	if err != nil {
		return err
	}
	most, field := plan.Limits.CIRegisteredGroupRunners, "runner_namespaces.base"
	if c.ProjectID != nil {
		most, field = plan.Limits.CIRegisteredProjectRunners, "runner_projects.base"
	}
	n, err := countRunners(ctx, st, c)
	if err == nil && most > 0 && int64(n) >= most {
		err = fault.Invalid(
			field, fmt.Sprintf("Maximum number of ci registered %s runners (%d) exceeded", c.Kind(), most),
		)
	}
	return err
}

// checkRunner returns the problems of a runner.
func checkRunner(r Runner) error {
	var wrong check.Problems
	wrong.Fits("description", r.Description, 1024)
	if r.MaintenanceNote != nil {
		wrong.Fits("maintenance_note", *r.MaintenanceNote, 1024)
	}
	if r.MaximumTimeout != nil && *r.MaximumTimeout < 600 {
		wrong.On("maximum_timeout", "needs to be at least 10 minutes")
	}
	switch {
	case len(r.Tags) == 0 && !r.RunUntagged:
		wrong.On("tags_list", "can not be empty when runner is not allowed to pick untagged jobs")
	case len(r.Tags) > maxTags:
		wrong.On("tags_list", fmt.Sprintf("Too many tags specified. Please limit the number of tags to %d", maxTags))
	}
	for _, tag := range r.Tags {
		if !wrong.Fits("tags_list", tag, 255) {
			break
		}
	}
	return wrong.Err()
}
