package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"hew/server/db"
	"hew/server/fault"
)

// A job of a watched kind is noted as alive every beatEvery, and taken for lost when it has not
// been for lostAfter.
const (
	beatEvery = 20 * time.Second
	lostAfter = 2 * time.Minute
)

// Watched returns the kind with jobs that are done again, two minutes after their process was
// killed. Others with a timeout of hours stay as they are for so long, and those that are Sole keep
// the next one out. For that time the old one may still be running, if its process only lost the
// database: what it does must bear two at once.
func (k Kind) Watched() Kind {
	k.watched = true
	return k
}

// beat notes that a job is alive, now and until stop is called. The context that it returns ends
// when another process has the job.
func (w worker[A]) beat(ctx context.Context, job *river.Job[A]) (_ context.Context, stop func(), _ error) {
	note := func(ctx context.Context) error {
		n, err := w.st.Affected(ctx, `
			update river_job set metadata = metadata || jsonb_build_object('alive_at', now())
			where id = @id and state = 'running' and attempt = @attempt`,
			pgx.NamedArgs{"id": job.ID, "attempt": job.Attempt})
		if err == nil && n == 0 {
			return fault.NotFound("Job")
		}
		return err
	}
	if err := note(ctx); err != nil {
		return ctx, nil, err
	}
	ctx, stop = Hold(ctx, beatEvery, note)
	return ctx, stop, nil
}

// requeueLost makes the jobs of watched kinds available again that nobody is doing any more.
type requeueLost struct{ Sole }

// Kind implements Args.
func (requeueLost) Kind() string { return "requeue_lost_jobs" }

// requeuer returns the kind that does requeueLost for the watched kinds.
func requeuer(kinds []Kind) Kind {
	var watched []string
	for _, k := range kinds {
		if k.watched {
			watched = append(watched, k.Name)
		}
	}
	return On(func(ctx context.Context, st *db.Store, _ requeueLost) error {
		err := st.Exec(ctx, `
			update river_job set
				state = (case when attempt < max_attempts then 'available' else 'discarded' end)::river_job_state,
				finalized_at = case when attempt < max_attempts then null else now() end
			where state = 'running' and kind = any(@kinds)
			  and greatest((metadata ->> 'alive_at')::timestamptz, attempted_at) < now() - @most::interval`,
			pgx.NamedArgs{"kinds": watched, "most": lostAfter})
		if err != nil {
			return fmt.Errorf("requeue lost jobs: %w", err)
		}
		return nil
	}).Each(time.Minute)
}
