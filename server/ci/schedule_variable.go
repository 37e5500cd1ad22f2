package ci

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
)

// ScheduleVariable returns a variable of a schedule, in clear.
func ScheduleVariable(ctx context.Context, st *db.Store, scheduleID int64, key string) (expression.Variable, error) {
	list, err := ofSchedule.read(ctx, st, scheduleID)
	if err != nil {
		return expression.Variable{}, err
	}
	at := slices.IndexFunc(list, func(v expression.Variable) bool { return v.Key == key })
	if at < 0 {
		return expression.Variable{}, fault.NotFound("Pipeline Schedule Variable")
	}
	return list[at], nil
}

// CreateScheduleVariable adds a variable to a schedule that it does not have yet.
func CreateScheduleVariable(
	ctx context.Context, st *db.Store, s Schedule, v expression.Variable,
) (expression.Variable, error) {
	err := inSchedule(ctx, st, s, func(st *db.Store) error {
		_, err := ScheduleVariable(ctx, st, s.ID, v.Key)
		if err == nil {
			return fault.Invalid("key", db.Taken)
		}
		if fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		return writeScheduleVariable(ctx, st, s, v)
	})
	return v, err
}

// ChangeScheduleVariable edits a variable of a schedule.
func ChangeScheduleVariable(
	ctx context.Context, st *db.Store, s Schedule, key string, edit func(*expression.Variable),
) (v expression.Variable, err error) {
	err = inSchedule(ctx, st, s, func(st *db.Store) error {
		if v, err = ScheduleVariable(ctx, st, s.ID, key); err != nil {
			return err
		}
		edit(&v)
		return writeScheduleVariable(ctx, st, s, v)
	})
	return v, err
}

// DeleteScheduleVariable removes a variable of a schedule and returns it as it was.
func DeleteScheduleVariable(
	ctx context.Context, st *db.Store, s Schedule, key string,
) (v expression.Variable, err error) {
	err = inSchedule(ctx, st, s, func(st *db.Store) error {
		if v, err = ScheduleVariable(ctx, st, s.ID, key); err != nil {
			return err
		}
		return st.Exec(ctx, `delete from pipeline_schedule_variables where schedule_id = @id and key = @key`,
			pgx.NamedArgs{"id": s.ID, "key": key})
	})
	return v, err
}

// inSchedule runs do while nobody else changes the schedule.
func inSchedule(ctx context.Context, st *db.Store, s Schedule, do func(*db.Store) error) error {
	_, err := Schedules(st, s.ProjectID).Change(ctx, db.ByID(s.ID), func(st *db.Store, _ *Schedule) error {
		return do(st)
	})
	return err
}

func writeScheduleVariable(ctx context.Context, st *db.Store, s Schedule, v expression.Variable) error {
	if err := checkGiven(v); err != nil {
		return err
	}
	return ofSchedule.write(ctx, st, s.ID, []expression.Variable{v})
}

// checkGiven returns the problems of a variable that somebody gives a pipeline, schedule or job.
func checkGiven(v expression.Variable) error {
	var wrong check.Problems
	if wrong.Fits("key", v.Key, 255) && !catalogue.IsVariableKey(v.Key) {
		wrong.On("key", "can contain only letters, digits and '_'.")
	}
	if len([]rune(v.Value)) > maxValueLength {
		wrong.On("value", "is too long (maximum is 10000 characters)")
	}
	return wrong.Err()
}
