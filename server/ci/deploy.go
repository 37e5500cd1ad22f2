package ci

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/work/duration"
)

// deploying are the states of jobs as states of deployments.
var deploying = map[status.Status]string{
	status.Created: "created", status.Pending: "created", status.Scheduled: "created", status.Manual: "blocked",
	status.WaitingForResource: "created", status.Running: "running", status.Canceling: "running",
	status.Success: "success", status.Failed: "failed", status.Canceled: "canceled", status.Skipped: "skipped",
}

// DeploymentListeners keep deployments and environments up to date with jobs, and merge requests
// with deployments.
var DeploymentListeners = []event.Listener{event.On(onChanged), event.On(onDeployed)}

// onChanged keeps deployments and environments up to date with the jobs that deploy to them: a
// deployment begins when a job with the action start does, and a job with the action stop stops its
// environment when it succeeds.
func onChanged(ctx context.Context, st *db.Store, e Changed) error {
	for _, j := range e.Jobs {
		if j.Job.EnvironmentID == nil {
			continue
		}
		d, err := ReadDefinition(ctx, st, j.Job)
		if err != nil {
			return err
		}
		if d.Environment == nil {
			continue
		}
		switch d.Environment.Action {
		case "start", "":
			err = followJob(ctx, st, j.Job, d)
		case "stop":
			err = stopBy(ctx, st, j.Job)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// followJob makes a deployment for a job that starts, and gives it the state of the job.
func followJob(ctx context.Context, st *db.Store, j Job, d Definition) error {
	to, ok := deploying[j.Status]
	if !ok || j.Status == status.Created {
		return nil
	}
	row, err := Deployments(st, j.ProjectID).One(ctx, func(w *db.Where) { w.And(`t.job_id = @job`, j.ID) })
	if fault.CodeOf(err) == fault.CodeNotFound {
		if j.Status.Complete() {
			return nil // it never began
		}
		_, err = insertDeployment(ctx, st, Deployment{
			ProjectID: j.ProjectID, EnvironmentID: *j.EnvironmentID, JobID: &j.ID, UserID: j.UserID, Commit: j.Commit,
			Ref: j.Ref, Tag: j.Tag, Status: to,
		})
		return err
	}
	if err != nil || row.Status == to {
		return err
	}
	if _, err := ChangeDeployment(ctx, st, j.ProjectID, row.ID, to); err != nil || to != "success" {
		return err
	}
	return deployed(ctx, st, j, d)
}

// deployed notes what the definition of a job says of the environment that it has deployed to. The
// address may have variables that the job has reported.
func deployed(ctx context.Context, st *db.Store, j Job, d Definition) error {
	var stop *time.Time
	address := ""
	if j.EnvironmentURL != nil {
		reported, err := jobVariables(ctx, st, []int64{j.ID}, true)
		if err != nil {
			return err
		}
		address = plainURL(expression.ExpandKnown(*j.EnvironmentURL, expression.Values(reported)))
	}
	if d.Environment.AutoStopIn != "" {
		if seconds, ok := duration.ParseCalendar(d.Environment.AutoStopIn); ok {
			stop = new(time.Now().Add(time.Duration(seconds) * time.Second))
		}
	}
	return st.Exec(ctx, `
		update environments set external_url = coalesce(nullif(@url, ''), external_url), auto_stop_at = @stop,
		    tier = coalesce(nullif(@tier, ''), tier), updated_at = now()
		where id = @id`, pgx.NamedArgs{
		"id": j.EnvironmentID, "url": address, "stop": stop, "tier": d.Environment.DeploymentTier,
	})
}

// plainURL returns an address that browsers may follow, and "" for any other, and for one with
// variables that nobody knew.
func plainURL(address string) string {
	u, err := url.Parse(address)
	web := err == nil && (u.Scheme == "http" || u.Scheme == "https")
	if !web || strings.Contains(address, "$") || len(address) > maxAddress {
		return ""
	}
	return address
}

// maxAddress is how many bytes the address of an environment has at most.
const maxAddress = 255

// stopBy follows the job that stops an environment.
func stopBy(ctx context.Context, st *db.Store, j Job) error {
	state := ""
	switch j.Status {
	case status.Running:
		state = Stopping
	case status.Success:
		state = Stopped
	case status.Failed, status.Canceled:
		state = Available
	default:
		return nil
	}
	return st.Exec(ctx, `
		update environments set state = @state, updated_at = now(),
		    auto_stop_at = case when @state = 'stopped' then null else auto_stop_at end
		where id = @id`, pgx.NamedArgs{"id": *j.EnvironmentID, "state": state})
}
