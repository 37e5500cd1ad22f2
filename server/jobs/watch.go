package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"hew/server/db"
)

// Watched returns the kind with jobs that are done again as soon as their process is known to be
// dead (see IsDead). Others with a timeout of hours stay as they are for so long, and those that
// are Sole keep the next one out. The old one may still be running, if its process only lost its
// connection: what it does must bear two at once.
func (k Kind) Watched() Kind {
	k.watched = true
	return k
}

// noteProcess notes which process makes this attempt at a job.
func (w worker[A]) noteProcess(ctx context.Context, job *river.Job[A]) error {
	return w.st.Exec(ctx, `
		update river_job set metadata = metadata
			|| jsonb_build_object('process', @process::integer, 'process_attempt', attempt)
		where id = @id and state = 'running' and attempt = @attempt`,
		pgx.NamedArgs{"id": job.ID, "attempt": job.Attempt, "process": Process(w.st)})
}

// requeueLost makes the jobs of watched kinds available again whose process is dead.
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
			where state = 'running' and kind = any(@kinds) and (metadata ->> 'process_attempt')::integer = attempt
			  and `+IsDead(`(metadata ->> 'process')::integer`), pgx.NamedArgs{"kinds": watched})
		if err != nil {
			return fmt.Errorf("requeue lost jobs: %w", err)
		}
		return nil
	}).Each(time.Minute).AtStart()
}
