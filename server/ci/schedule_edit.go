package ci

import (
	"context"
	"time"

	"hew/server/check"
	"hew/server/db"
	"hew/server/setting"
	"hew/server/tree"
)

// CreateSchedule stores the schedule that edit sets up, which is the user's. Ref may be the short
// name of a branch or tag. The caller sees to it that the user may run pipelines of it.
func CreateSchedule(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, edit db.Edit[Schedule],
) (made Schedule, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := checkScheduleLimit(ctx, st, p); err != nil {
			return err
		}
		row := Schedule{ProjectID: p.ID, OwnerID: &by.ID, Zone: "UTC", Active: true, Inputs: NoInputs}
		if err := prepareSchedule(ctx, st, p, edit, &row); err != nil {
			return err
		}
		made, err = Schedules(st, p.ID).Create(ctx, row)
		return err
	})
	return made, err
}

// ChangeSchedule edits a schedule and returns it.
func ChangeSchedule(
	ctx context.Context, st *db.Store, p tree.Project, id int64, edit db.Edit[Schedule],
) (Schedule, error) {
	return Schedules(st, p.ID).Change(ctx, db.ByID(id), func(st *db.Store, row *Schedule) error {
		return prepareSchedule(ctx, st, p, edit, row)
	})
}

// prepareSchedule edits a schedule, checks it, and says when it runs next.
func prepareSchedule(ctx context.Context, st *db.Store, p tree.Project, edit db.Edit[Schedule], row *Schedule) error {
	before := *row
	if err := edit(st, row); err != nil {
		return err
	}
	var wrong check.Problems
	if row.Description == "" {
		wrong.On("description", "can't be blank")
	}
	wrong.Fits("description", row.Description, 255)
	if row.Ref == "" {
		wrong.On("ref", "can't be blank")
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	var err error
	if row.Ref, err = fullRef(ctx, st, p, row.Ref); err != nil {
		return err
	}
	if _, _, err := parseCron(row.Cron, row.Zone); err != nil {
		return err
	}
	same := row.Cron == before.Cron && row.Zone == before.Zone && row.Active == before.Active
	if !same || row.NextRunAt == nil {
		row.NextRunAt, err = nextRun(row.Cron, row.Zone, time.Now())
	}
	return err
}

// checkScheduleLimit returns the fault of a project that has as many schedules as its plan allows.
func checkScheduleLimit(ctx context.Context, st *db.Store, p tree.Project) error {
	plan, err := setting.ReadPlanLimits(ctx, st, "default")
	if err != nil {
		return err
	}
	n, err := Schedules(st, p.ID).Count(ctx)
	if most := int(plan.Limits.CIPipelineSchedules); err == nil && most > 0 && n >= most {
		err = tooMany("pipeline schedules", most)
	}
	return err
}
