package mirror

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
)

const (
	// keepAliveEvery is how often a run says that it is alive: several times in aliveFor.
	keepAliveEvery = 15 * time.Second
	// aliveFor is how long after it was last seen alive a run belongs to its process.
	aliveFor = time.Minute
)

// table is the table of a kind of mirrors. Both have the columns of Run.
type table string

// The tables.
const (
	pushes table = "push_mirrors"
	pulls  table = "pull_mirrors"
)

// Schedule is when a mirror runs.
type Schedule struct {
	DueAt       *time.Time `db:"due_at,auto" json:"-"`   // nil: there is nothing to do
	AliveAt     *time.Time `db:"alive_at,auto" json:"-"` // when its process was last seen; nil: it does not run
	Runs        int64      `db:"runs,auto" json:"-"`
	Tries       int        `db:"tries,auto" json:"-"` // that have failed, since one succeeded or failed for good
	FailureTold bool       `db:"failure_told,auto" json:"-"`
}

// Run is one run of a mirror.
type Run struct {
	MirrorID int64      `db:"id"`
	Number   int64      `db:"runs"`
	Tries    int        `db:"tries"`                     // this one included, since one succeeded
	Before   *time.Time `db:"last_successful_update_at"` // when a run succeeded last; nil: none has

	of table
}

// due is a mirror that is to run.
type due struct {
	ID   int64 `db:"id"`
	Runs int64 `db:"runs"` // so far
}

// run is what the jobs of a mirror are asked with.
type run struct {
	jobs.Long
	MirrorID int64 `json:"mirror_id"`
	Runs     int64 `json:"runs"` // before it: so a job that comes too late does nothing
}

// runsOf returns the jobs that run mirrors.
func runsOf[T jobs.Args](list []due, job func(run) T) (args []jobs.Args) {
	for _, d := range list {
		args = append(args, job(run{MirrorID: d.ID, Runs: d.Runs}))
	}
	return args
}

// listDue returns the mirrors that are due, and those whose process has gone.
func (t table) listDue(ctx context.Context, st *db.Store, now time.Time, limit int) ([]due, error) {
	return db.Many[due](ctx, st, `
		select id, runs from `+string(t)+`
		where due_at <= @now and (alive_at is null or alive_at < @dead) or alive_at < @dead
		order by coalesce(due_at, alive_at), id limit @limit`,
		pgx.NamedArgs{"now": now, "dead": now.Add(-aliveFor), "limit": limit})
}

// maxRunning is how many mirrors of a project run at once: a project must not take all workers.
const maxRunning = 3

// claim makes this process the one that runs a mirror, as the run after a number of others. It
// returns not found if another process runs it, or has, and while enough mirrors of its project
// run: then it stays due.
func (t table) claim(ctx context.Context, st *db.Store, d due) (Run, error) {
	now := time.Now()
	r, err := db.One[Run](ctx, st, "Mirror", `
		update `+string(t)+` m
		set runs = runs + 1, tries = tries + 1, alive_at = @now, due_at = null, update_status = 'started',
		    last_update_started_at = @now
		where id = @id and runs = @runs and (alive_at is null or alive_at < @dead) and @max > (
		    select count(*) from `+string(t)+` o where o.project_id = m.project_id and o.alive_at >= @dead)
		returning id, runs, tries, last_successful_update_at`,
		pgx.NamedArgs{"id": d.ID, "runs": d.Runs, "now": now, "dead": now.Add(-aliveFor), "max": maxRunning})
	r.of = t
	return r, err
}

// startWaiting starts a push mirror of a project that waited until another one had ended. The sweep
// finds what this misses.
func startWaiting(ctx context.Context, st *db.Store, project int64) error {
	waiting, err := db.Many[due](ctx, st, `
		select id, runs from push_mirrors where project_id = @project and due_at <= now() and alive_at is null
		order by due_at, id limit 1`, pgx.NamedArgs{"project": project})
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, pushJobs(waiting)...)
}

// keep says that the run is alive until stop is called. The context that it returns ends with a
// not-found fault if the mirror is removed, and when the time of a run is over.
func (r Run) keep(ctx context.Context, st *db.Store) (_ context.Context, stop func()) {
	limited, release := context.WithTimeout(ctx, r.limit())
	held, end := jobs.Hold(limited, keepAliveEvery, func(ctx context.Context) error {
		return r.change(ctx, st, `alive_at = now()`, nil)
	})
	return held, func() {
		end()
		release()
	}
}

// The time of a run: the first one moves everything (transfer §5).
const (
	firstLimit = 3 * time.Hour
	laterLimit = time.Hour
)

func (r Run) limit() time.Duration {
	if r.Before == nil {
		return firstLimit
	}
	return laterLimit
}

// change sets columns of the mirror of a run. It returns not found if the run is not the last one.
func (r Run) change(ctx context.Context, st *db.Store, set string, args pgx.NamedArgs) error {
	all := pgx.NamedArgs{"id": r.MirrorID, "number": r.Number}
	for name, value := range args {
		all[name] = value
	}
	n, err := st.Affected(ctx, `update `+string(r.of)+` set `+set+` where id = @id and runs = @number`, all)
	if err == nil && n == 0 {
		err = fault.NotFound("Mirror")
	}
	return err
}

// release lets another process run the mirror, at once: the server stops. It does not count.
func (r Run) release(ctx context.Context, st *db.Store) error {
	return r.change(ctx, st, `alive_at = null, due_at = now(), tries = tries - 1, update_status = 'scheduled'`, nil)
}

// finish ends a run that succeeded but for what a note says, if anything. The mirror is due again
// at next, unless that is nil.
func (r Run) finish(ctx context.Context, st *db.Store, next *time.Time, note string) error {
	return r.change(ctx, st, `
		alive_at = null, tries = 0, failure_told = false, update_status = 'finished', last_error = nullif(@note, ''),
		last_update_at = now(), last_successful_update_at = now(), due_at = least(due_at, @next::timestamptz)`,
		pgx.NamedArgs{"next": next, "note": note})
}

// retry ends a run that failed; another one follows.
func (r Run) retry(ctx context.Context, st *db.Store, status, text string, next time.Time) error {
	return r.change(ctx, st, `
		alive_at = null, update_status = @status, last_error = @text, last_update_at = now(),
		due_at = least(due_at, @next::timestamptz)`,
		pgx.NamedArgs{"status": status, "text": text, "next": next})
}

// fail ends the last one of the runs that failed, and reports whether nobody was told so yet.
func (r Run) fail(ctx context.Context, st *db.Store, tries int, text string) (tell bool, err error) {
	told, err := db.Value[bool](ctx, st, `select failure_told from `+string(r.of)+` where id = @id for update`,
		pgx.NamedArgs{"id": r.MirrorID})
	if err != nil {
		return false, err
	}
	return !told, r.change(ctx, st, `
		alive_at = null, tries = @tries, update_status = 'failed', last_error = @text, last_update_at = now(),
		failure_told = true`, pgx.NamedArgs{"text": text, "tries": tries})
}
