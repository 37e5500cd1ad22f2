package ci

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/tree"
)

// Schedule starts pipelines of a branch or tag at the times that a cron expression names, in the
// name of its owner (CI facts §2.3).
type Schedule struct {
	ID          int64      `db:"id,auto"`
	ProjectID   int64      `db:"project_id"`
	OwnerID     *int64     `db:"owner_id"` // nil: the user is gone, and the schedule rests
	Description string     `db:"description"`
	Ref         string     `db:"ref"` // the full name
	Cron        string     `db:"cron"`
	Zone        string     `db:"cron_timezone"`
	Active      bool       `db:"active"`
	NextRunAt   *time.Time `db:"next_run_at"` // nil: never again
	PlayedAt    *time.Time `db:"played_at"`   // by hand
	// Inputs are the list of ScheduleInput as JSON.
	Inputs    json.RawMessage `db:"inputs"`
	CreatedAt time.Time       `db:"created_at,auto"`
	UpdatedAt time.Time       `db:"updated_at,auto"`

	Owner *tree.Person `db:"owner,auto"`
}

// Schedules returns the schedules of a project.
func Schedules(s *db.Store, projectID int64) db.Held[Schedule] {
	h := db.NewHeld[Schedule](s, db.Container{ProjectID: &projectID}, "pipeline_schedules")
	h.What = "Pipeline Schedule"
	h.Select = `select t.*, ` + tree.PersonColumn("t.owner_id") + ` as owner from pipeline_schedules t`
	return h
}

// InState returns the condition of schedules that are active, or are not; of all for nil.
func InState(active *bool) db.Condition {
	return func(w *db.Where) { w.AndIf(active != nil, `t.active = @active`, active) }
}

// LastOf returns the last pipeline of a schedule; nil if there was none.
func LastOf(ctx context.Context, s *db.Store, scheduleID int64) (*Pipeline, error) {
	list, err := db.Many[Pipeline](ctx, s, selectPipelines+`
		where t.schedule_id = @schedule order by t.id desc limit 1`, pgx.NamedArgs{"schedule": scheduleID})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// OfSchedule returns the condition of pipelines that a schedule has started.
func OfSchedule(id int64) db.Condition {
	return func(w *db.Where) { w.And(`t.schedule_id = @schedule`, id) }
}

// ScheduleVariables returns the variables that a schedule gives its pipelines, in clear.
func ScheduleVariables(ctx context.Context, s *db.Store, scheduleID int64) ([]expression.Variable, error) {
	return ofSchedule.read(ctx, s, scheduleID)
}
