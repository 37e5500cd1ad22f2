package forge

import (
	"context"
	"fmt"
	"time"

	"hew/server/auth"
	"hew/server/fault"
	"hew/server/store"
)

// runnerPrefix marks the authentication tokens of runners (gaps §1.3).
const runnerPrefix = "glrt-"

// mostTags is how many tags a runner may have.
const mostTags = 50

// NewRunner is a runner with its authentication token, which is known only where that is made.
type NewRunner struct {
	store.Runner
	Plain string
}

// CreateRunner makes a runner of a group or project, or of the instance if c is neither, out of what fill says (gaps §10.4).
func CreateRunner(
	ctx context.Context, st *store.Store, c store.Container, fill func(*store.Runner) error,
) (fresh NewRunner, err error) {
	fresh.Runner = store.NewRunner(c)
	err = st.Tx(ctx, func(st *store.Store) error {
		if err := roomForRunner(ctx, st, c); err != nil {
			return err
		}
		if err := checked(fill, checkRunner)(&fresh.Runner); err != nil {
			return err
		}
		if err := fresh.mint(ctx, st); err != nil {
			return err
		}
		fresh.Runner, err = st.CreateRunner(ctx, fresh.Runner, c)
		return err
	})
	return fresh, err
}

// ChangeRunner lets change edit a runner, and stores the outcome.
func ChangeRunner(ctx context.Context, st *store.Store, id int64, change func(*store.Runner) error) error {
	return changeRunner(ctx, st, id, checked(change, checkRunner))
}

// ResetRunner gives a runner another authentication token. The one it had is good for nothing from then on.
func ResetRunner(ctx context.Context, st *store.Store, id int64) (fresh NewRunner, err error) {
	err = changeRunner(ctx, st, id, func(r *store.Runner) error {
		fresh.Runner = *r
		err := fresh.mint(ctx, st)
		*r = fresh.Runner
		return err
	})
	return fresh, err
}

func changeRunner(ctx context.Context, st *store.Store, id int64, change func(*store.Runner) error) error {
	return st.Tx(ctx, func(st *store.Store) error {
		r, err := st.HoldRunner(ctx, id)
		if err != nil {
			return err
		}
		if err := change(&r); err != nil {
			return err
		}
		return st.UpdateRunner(ctx, r)
	})
}

// DeleteRunner removes a runner for a caller, unless the time when it was changed last speaks against that. One that works for
// several projects has maintainers who are not the caller.
func DeleteRunner(
	ctx context.Context, st *store.Store, id int64, by auth.Caller, unless func(context.Context, time.Time) error,
) error {
	return removeRunner(ctx, st, id, unless, func(ctx context.Context, st *store.Store) error {
		r, err := st.RunnerFor(ctx, id, by.ID())
		if err == nil && r.Projects > 1 && !by.Admin() {
			err = fault.Forbidden("Runner associated with more than one project")
		}
		return err
	})
}

// Unregister removes a runner on its own behalf, unless the time when it was changed last speaks against that.
func Unregister(ctx context.Context, st *store.Store, id int64, unless func(context.Context, time.Time) error) error {
	return removeRunner(ctx, st, id, unless, func(context.Context, *store.Store) error { return nil })
}

func removeRunner(
	ctx context.Context, st *store.Store, id int64,
	unless func(context.Context, time.Time) error, may func(context.Context, *store.Store) error,
) error {
	return st.Tx(ctx, func(st *store.Store) error {
		r, err := st.HoldRunner(ctx, id)
		if err != nil {
			return err
		}
		if err := may(ctx, st); err != nil {
			return err
		}
		if err := unless(ctx, r.UpdatedAt); err != nil {
			return err
		}
		return st.RemoveRunner(ctx, id)
	})
}

// mint gives the runner a token that is good for as long as the settings let those of its type be.
func (n *NewRunner) mint(ctx context.Context, st *store.Store) error {
	settings, err := st.Settings(ctx)
	if err != nil {
		return err
	}
	n.Plain = auth.NewToken(runnerPrefix)
	digest := auth.Digest(n.Plain)
	n.Digest, n.TokenExpiresAt = digest[:], nil
	expiry := map[string]*int64{
		store.InstanceRunner: settings.InstanceRunnerExpiry,
		store.GroupRunner:    settings.GroupRunnerExpiry,
		store.ProjectRunner:  settings.ProjectRunnerExpiry,
	}[n.Type]
	if expiry != nil {
		n.TokenExpiresAt = new(time.Now().Add(time.Duration(*expiry) * time.Second).UTC().Truncate(time.Millisecond))
	}
	return nil
}

// roomForRunner refuses another runner of a group or project that has as many as the plan allows (gaps §13.3).
func roomForRunner(ctx context.Context, st *store.Store, c store.Container) error {
	if c == (store.Container{}) {
		return nil
	}
	plan, err := st.PlanLimits(ctx, "default")
	if err != nil {
		return err
	}
	most, field := plan.Limits.CIRegisteredGroupRunners, "runner_namespaces.base"
	if c.ProjectID != nil {
		most, field = plan.Limits.CIRegisteredProjectRunners, "runner_projects.base"
	}
	n, err := st.CountRunners(ctx, c)
	if err == nil && most > 0 && int64(n) >= most {
		err = fault.Invalid(field, fmt.Sprintf("Maximum number of ci registered %s runners (%d) exceeded", c.Kind(), most))
	}
	return err
}

// checkRunner says what is wrong with a runner, if anything.
func checkRunner(r store.Runner) error {
	var wrong problems
	wrong.fits("description", r.Description, 1024)
	if r.MaintenanceNote != nil {
		wrong.fits("maintenance_note", *r.MaintenanceNote, 1024)
	}
	if r.MaximumTimeout != nil && *r.MaximumTimeout < 600 {
		wrong.on("maximum_timeout", "needs to be at least 10 minutes")
	}
	switch {
	case len(r.Tags) == 0 && !r.RunUntagged:
		wrong.on("tags_list", "can not be empty when runner is not allowed to pick untagged jobs")
	case len(r.Tags) > mostTags:
		wrong.on("tags_list", fmt.Sprintf("Too many tags specified. Please limit the number of tags to %d", mostTags))
	}
	for _, tag := range r.Tags {
		if !wrong.fits("tags_list", tag, 255) {
			break
		}
	}
	return wrong.err()
}
