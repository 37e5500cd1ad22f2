package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/junit"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
)

// TestSummary is what the JUnit report of a job comes to.
type TestSummary struct {
	JobID      int64   `db:"job_id"`
	Suite      string  `db:"suite"`
	Time       float64 `db:"time"` // seconds
	Total      int     `db:"total"`
	Success    int     `db:"success"`
	Failed     int     `db:"failed"`
	Skipped    int     `db:"skipped"`
	Error      int     `db:"error"`
	SuiteError *string `db:"suite_error"`
}

// TestSummaries returns the summaries of the newest jobs of a pipeline, in their order. That of a
// job that has just ended may be missing.
func TestSummaries(ctx context.Context, st *db.Store, pipelineID int64) ([]TestSummary, error) {
	return db.Many[TestSummary](ctx, st, `
		select s.* from job_test_summaries s join jobs j on j.id = s.job_id
		where j.pipeline_id = @pipeline and not j.retried order by s.job_id`,
		pgx.NamedArgs{"pipeline": pipelineID})
}

// ReportListeners have the tests counted of jobs that end.
var ReportListeners = []event.Listener{event.On(summarizeEnded)}

// summarizeTests asks to count the tests of a job that is over.
type summarizeTests struct {
	JobID int64 `json:"job_id"`
}

// Kind implements jobs.Args.
func (summarizeTests) Kind() string { return "summarize_tests" }

// summarizeEnded has the tests counted of jobs that have just ended and left a report.
func summarizeEnded(ctx context.Context, st *db.Store, e Changed) error {
	var ended []int64
	for _, c := range e.Jobs {
		if c.Job.Kind == Build && c.Job.StartedAt != nil && c.Job.Status.Complete() {
			ended = append(ended, c.Job.ID)
		}
	}
	if ended == nil {
		return nil
	}
	ids, err := db.Values[int64](ctx, st, `
		select job_id from job_artifacts where job_id = any(@jobs) and file_type = 'junit' order by job_id`,
		pgx.NamedArgs{"jobs": ended})
	if err != nil {
		return err
	}
	tasks := make([]jobs.Args, len(ids))
	for n, id := range ids {
		tasks[n] = summarizeTests{JobID: id}
	}
	return jobs.Enqueue(ctx, st, tasks...)
}

// summarize stores the summary of a job's report. The job may have been erased meanwhile.
func summarize(ctx context.Context, st *db.Store, task summarizeTests) error {
	f, err := db.One[testFile](ctx, st, "Job", `
		select a.*, j.name as job_name, coalesce(d.definition ->> 'base', j.name) as base
		from job_artifacts a join jobs j on j.id = a.job_id left join job_definitions d on d.id = j.definition_id
		where a.job_id = @job and a.file_type = 'junit'`, pgx.NamedArgs{"job": task.JobID})
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	var suite junit.Suite
	left := int64(junit.MaxFile)
	if err := f.addTo(ctx, st, &suite, &left); err != nil {
		return err
	}
	n, time := suite.Counts(), suite.Time
	var failed *string
	if suite.Error != "" {
		failed, time = &suite.Error, 0
	}
	if err := storeFailures(ctx, st, f.ProjectID, task.JobID, failedIn(f.suite(), &suite)); err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into job_test_summaries (job_id, suite, time, total, success, failed, skipped, error, suite_error)
		select j.id, @suite, @time, @total, @success, @failed, @skipped, @error, @suite_error from jobs j where j.id = @job
		on conflict (job_id) do nothing`, pgx.NamedArgs{
		"job": task.JobID, "suite": f.suite(), "time": time, "total": n.Total, "success": n.Success, "failed": n.Failed,
		"skipped": n.Skipped, "error": n.Error, "suite_error": failed,
	})
}
