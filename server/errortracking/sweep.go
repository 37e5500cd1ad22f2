package errortracking

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/jobs"
)

// What is kept of a project.
const (
	MaxEvents    = 100                 // of an error; the latest
	MaxErrors    = 5_000               // those that were seen last
	maxErrorAge  = 90 * 24 * time.Hour // since an error was seen
	sweepBatch   = 100                 // errors in one statement
	sweepPeriod  = 10 * time.Minute
	sweepTimeout = 5 * time.Minute
)

// Jobs are the jobs of errors.
var Jobs = []jobs.Kind{jobs.On(sweep).Each(sweepPeriod).Lasting(sweepTimeout)}

// sweepErrors are the arguments of the job that removes what is beyond the limits.
type sweepErrors struct{ jobs.Sole }

// Kind implements jobs.Args.
func (sweepErrors) Kind() string { return "sweep_errors" }

// Each statement handles a batch of errors and skips those that are being counted, which the next
// run finds.
const (
	sweepOldErrors = `
		delete from errors where id in (
		    select id from errors where last_seen_at < now() - make_interval(secs => @age)
		    limit @batch for update skip locked)`
	sweepManyErrors = `
		delete from errors where id in (
		    select e.id from errors e join (
		        select id from (
		            select id, row_number() over (partition by project_id order by last_seen_at desc, id desc) as place
		            from errors where project_id in (
		                select project_id from errors group by project_id having count(*) > @errors)) placed
		        where place > @errors limit @batch) beyond using (id)
		    for update of e skip locked)`
	sweepEvents = `
		with crowded as (
		    select id from errors where kept_events > @events limit @batch for no key update skip locked
		), gone as (
		    delete from error_events v using crowded c
		    where v.error_id = c.id and v.id <= (
		        select w.id from error_events w where w.error_id = c.id order by w.id desc offset @events limit 1)
		)
		update errors set kept_events = @events where id in (select id from crowded)`
)

// sweep removes errors that were not seen for long or are too many, and events that are too many.
func sweep(ctx context.Context, st *db.Store, _ sweepErrors) error {
	args := pgx.NamedArgs{
		"age": maxErrorAge.Seconds(), "batch": sweepBatch, "errors": MaxErrors, "events": MaxEvents,
	}
	for _, statement := range []string{sweepOldErrors, sweepManyErrors, sweepEvents} {
		for n := int64(sweepBatch); n == sweepBatch; {
			var err error
			if n, err = st.Affected(ctx, statement, args); err != nil {
				return err
			}
		}
	}
	return nil
}
