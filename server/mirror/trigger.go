package mirror

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/project"
	"hew/server/setting"
)

// How long after the start of a push the next one starts at the earliest (transfer §5).
const (
	pushPause          = 5 * time.Minute
	pushPauseProtected = time.Minute
)

// pauseOf returns the pause between the pushes of a mirror.
func pauseOf(m PushMirror) time.Duration {
	if m.OnlyProtectedBranches {
		return pushPauseProtected
	}
	return pushPause
}

// Listeners make push mirrors due, and keep the addresses of pull mirrors.
var Listeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e code.Pushed) error {
		return Trigger(ctx, st, e.Project.ID, time.Now())
	}),
	event.On(func(ctx context.Context, st *db.Store, e project.PullMirrorSet) error {
		return Follow(ctx, st, e.Project.ID, e.URL)
	}),
}

// Trigger makes the push mirrors of a project due, after a push to the project. Those that have not
// started lately are pushed to at once.
func Trigger(ctx context.Context, st *db.Store, projectID int64, now time.Time) error {
	now = now.Truncate(time.Millisecond) // as rows keep it
	ready, err := db.Many[due](ctx, st, `
		with soon as (
			update push_mirrors m set due_at = least(m.due_at, case
				when m.last_update_started_at > @now::timestamptz - p.pause then @now::timestamptz + p.pause
				else @now::timestamptz end)
			from (select id, case when only_protected_branches then @short::interval else @long::interval end as pause
			      from push_mirrors where project_id = @project and enabled order by id for update) p
			where m.id = p.id
			returning m.id, m.runs, m.due_at, m.alive_at)
		select id, runs from soon where due_at <= @now and alive_at is null order by id`,
		pgx.NamedArgs{"project": projectID, "now": now, "short": pushPauseProtected, "long": pushPause})
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, pushJobs(ready)...)
}

// refusal of a mirror that does not push.
var errCannotPush = fault.BadRequest(
	"Cannot proceed with the push mirroring. Please verify your mirror configuration.").In(fault.Text)

// PushNow makes a mirror of a project due and has it pushed to at once. It does nothing while a
// push runs. It returns a fault if the mirror is off (gaps §12.4).
func PushNow(ctx context.Context, st *db.Store, m PushMirror) error {
	_, runs, err := runnable(ctx, st, m.ProjectID)
	if err != nil {
		return err
	}
	if !runs || !m.Enabled {
		return errCannotPush
	}
	ready, err := db.Many[due](ctx, st, `
		update push_mirrors set due_at = least(due_at, now())
		where id = @id and (alive_at is null or alive_at < @dead) returning id, runs`,
		pgx.NamedArgs{"id": m.ID, "dead": time.Now().Add(-aliveFor)})
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, pushJobs(ready)...)
}

// pushJob asks for a push to a mirror.
type pushJob struct{ run }

// Kind implements jobs.Args.
func (pushJob) Kind() string { return "push_to_mirror" }

func pushJobs(list []due) []jobs.Args { return runsOf(list, func(r run) pushJob { return pushJob{r} }) }

// sweepJob asks for the mirrors that are due.
type sweepJob struct{}

// Kind implements jobs.Args.
func (sweepJob) Kind() string { return "sweep_mirrors" }

// sweepEvery is how often mirrors are looked for that are due.
const sweepEvery = 30 * time.Second

// maxSwept is how many push mirrors one sweep starts; the next one starts more.
const maxSwept = 1000

// Sweep starts the mirrors that are due at a time, and those whose process has gone.
func Sweep(ctx context.Context, st *db.Store, now time.Time) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	list, err := pushes.listDue(ctx, st, now, maxSwept)
	if err != nil {
		return err
	}
	running, err := db.Value[int](ctx, st, `select count(*)::int from pull_mirrors where alive_at >= @dead`,
		pgx.NamedArgs{"dead": now.Add(-aliveFor)})
	if err != nil {
		return err
	}
	pulled, err := pulls.listDue(ctx, st, now, max(0, settings.MirrorCapacity-running))
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, append(pushJobs(list), pullJobs(pulled)...)...)
}
