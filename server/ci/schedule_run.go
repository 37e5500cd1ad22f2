package ci

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/protect"
	"hew/server/tree"
)

// tickSchedules asks to start the pipelines of schedules that are due.
type tickSchedules struct{ jobs.Sole }

// Kind implements jobs.Args.
func (tickSchedules) Kind() string { return "tick_pipeline_schedules" }

func tick(ctx context.Context, st *db.Store, _ tickSchedules) error {
	return RunDue(ctx, st, time.Now())
}

// runSchedule asks to start a pipeline of a schedule.
type runSchedule struct {
	ScheduleID int64     `json:"schedule_id"`
	Due        time.Time `json:"due"`               // two runs of a schedule are two tasks
	UserID     int64     `json:"user_id,omitempty"` // who plays it; 0: nobody, it was due
}

// Kind implements jobs.Args.
func (runSchedule) Kind() string { return "run_pipeline_schedule" }

// dueAtOnce is how many schedules one transaction takes.
const dueAtOnce = 100

// RunDue enqueues a run of each schedule that is due, and says when it is due again: a schedule
// that missed several times, because the server was down, runs once.
func RunDue(ctx context.Context, st *db.Store, now time.Time) error {
	for more := true; more; {
		err := st.Tx(ctx, func(st *db.Store) error {
			list, err := db.Many[Schedule](ctx, st, `
				select t.*, null::jsonb as owner from pipeline_schedules t
				where t.active and t.next_run_at <= @now order by t.next_run_at limit @limit for update skip locked`,
				pgx.NamedArgs{"now": now, "limit": dueAtOnce})
			if err != nil {
				return err
			}
			more = len(list) == dueAtOnce
			var due []jobs.Args
			for n, s := range list {
				due = append(due, runSchedule{ScheduleID: s.ID, Due: *s.NextRunAt})
				if list[n].NextRunAt, err = nextRun(s.Cron, s.Zone, now); err != nil {
					list[n].Active = false // its zone is not known any more
				}
			}
			if err := db.UpdateAll(ctx, st, "pipeline_schedules", list); err != nil {
				return err
			}
			return jobs.Enqueue(ctx, st, due...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// PlaySchedule starts a pipeline of a schedule now, in the name of a user. When it is due next does
// not change.
func PlaySchedule(ctx context.Context, st *db.Store, s Schedule, by tree.User) error {
	now := time.Now()
	_, err := Schedules(st, s.ProjectID).Change(ctx, db.ByID(s.ID), func(st *db.Store, row *Schedule) error {
		if row.PlayedAt != nil && now.Sub(*row.PlayedAt) < time.Minute {
			return fault.TooMany("This schedule was played less than a minute ago. Try again later.")
		}
		row.PlayedAt = &now
		return jobs.Enqueue(ctx, st, runSchedule{ScheduleID: s.ID, Due: now, UserID: by.ID})
	})
	return err
}

// run starts a pipeline of a schedule in the name of its owner, or of who plays it. A schedule
// whose owner may not run pipelines of its ref any more rests.
func (s Site) run(ctx context.Context, st *db.Store, task runSchedule) error {
	row, err := db.One[Schedule](ctx, st, "", `
		select t.*, null::jsonb as owner from pipeline_schedules t where t.id = @id`,
		pgx.NamedArgs{"id": task.ScheduleID})
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	played := task.UserID != 0
	if !played && (!row.Active || row.OwnerID == nil) {
		return nil
	}
	userID := task.UserID
	if !played {
		userID = *row.OwnerID
	}
	by, err := tree.FindUser(ctx, st, userID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	p, err := tree.FindProject(ctx, st, row.ProjectID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	variables, err := ScheduleVariables(ctx, st, row.ID)
	if err != nil {
		return err
	}
	inputs, err := row.inputsNode()
	if err != nil {
		return err
	}
	_, err = Create(ctx, st, s, Order{
		Project: p, By: by, Source: BySchedule, Ref: row.Ref, Variables: variables, Inputs: inputs,
		ScheduleID: &row.ID, finish: jobs.Done,
	})
	if errors.Is(err, jobs.ErrDone) {
		return nil
	}
	if _, refused := fault.From(err); !refused || played {
		return fault.IgnoreRefused(err)
	}
	return restIfForbidden(ctx, st, p, by, row)
}

// restIfForbidden makes a schedule inactive if its owner may not run pipelines of its ref.
func restIfForbidden(ctx context.Context, st *db.Store, p tree.Project, by tree.User, row Schedule) error {
	found, err := tree.ProjectFor(ctx, st, strconv.FormatInt(p.ID, 10), by.ID)
	if err != nil {
		return err
	}
	ok, err := MayRun(ctx, st, p, protect.Pusher{Who: found.Who(by)}, row.Ref)
	if err != nil || ok {
		return err
	}
	_, err = Schedules(st, p.ID).Change(ctx, db.ByID(row.ID), db.Plain(func(s *Schedule) error {
		s.Active = false
		return nil
	}))
	return fault.IgnoreNotFound(err)
}
