package api

import (
	"context"
	"fmt"

	"hew/server/ci"
	"hew/server/ci/junit"
)

// testCounts are the counters of reports and their suites (spec 1 §2.4).
type testCounts struct {
	TotalTime    float64 `json:"total_time"` // seconds
	TotalCount   int     `json:"total_count"`
	SuccessCount int     `json:"success_count"`
	FailedCount  int     `json:"failed_count"`
	SkippedCount int     `json:"skipped_count"`
	ErrorCount   int     `json:"error_count"`
}

func (c *testCounts) add(more testCounts) {
	c.TotalTime += more.TotalTime
	c.TotalCount += more.TotalCount
	c.SuccessCount += more.SuccessCount
	c.FailedCount += more.FailedCount
	c.SkippedCount += more.SkippedCount
	c.ErrorCount += more.ErrorCount
}

type testReport struct {
	testCounts
	Suites []testSuite `json:"test_suites"`
}

type testSuite struct {
	Name string `json:"name"`
	testCounts
	Cases      []testCase `json:"test_cases"`
	SuiteError *string    `json:"suite_error"`
}

type testCase struct {
	Status         junit.Status       `json:"status"`
	Name           string             `json:"name"`
	Classname      string             `json:"classname"`
	File           *string            `json:"file"`
	ExecutionTime  float64            `json:"execution_time"` // seconds
	SystemOutput   *string            `json:"system_output"`
	StackTrace     *string            `json:"stack_trace"`
	RecentFailures *ci.RecentFailures `json:"recent_failures"` // nil: none, or the test has not failed
	AttachmentURL  string             `json:"attachment_url,omitempty"`
}

// testReport reads the reports of the pipeline's jobs (CI facts §5).
func (a pipelines) testReport(ctx context.Context, s inPipeline, _ pipelineID) (report testReport, err error) {
	suites, err := ci.ReadTestReport(ctx, s.Store, s.Pipeline.ID)
	if err != nil {
		return report, err
	}
	recent, err := ci.CountFailures(ctx, s.Store, s.Project.ID, s.Project.Head, suites)
	if err != nil {
		return report, err
	}
	report.Suites = make([]testSuite, len(suites))
	for n, suite := range suites {
		v := testSuite{Name: suite.Name, Cases: []testCase{}}
		if suite.Error != "" {
			v.SuiteError = &suite.Error
		} else {
			n := suite.Counts()
			v.testCounts = testCounts{suite.Time, n.Total, n.Success, n.Failed, n.Skipped, n.Error}
		}
		for _, c := range suite.Cases() {
			shown := testCase{
				Status: c.Status, Name: c.Name, Classname: c.Classname, File: c.File, ExecutionTime: c.Time,
				SystemOutput: c.Output, RecentFailures: recent(suite.Name, c),
			}
			if c.Attachment != "" {
				shown.AttachmentURL = a.Web(
					fmt.Sprintf("%s/-/jobs/%d/artifacts/file/%s", s.Project.FullPath, c.JobID, c.Attachment))
			}
			v.Cases = append(v.Cases, shown)
		}
		report.Suites[n] = v
		report.add(v.testCounts)
	}
	return report, nil
}

type testSummary struct {
	Total  testTotals         `json:"total"`
	Suites []testSuiteSummary `json:"test_suites"`
}

// testTotals are the counters with the names that summaries have for them.
type testTotals struct {
	Time       float64 `json:"time"` // seconds
	Count      int     `json:"count"`
	Success    int     `json:"success"`
	Failed     int     `json:"failed"`
	Skipped    int     `json:"skipped"`
	Error      int     `json:"error"`
	SuiteError *string `json:"suite_error"`
}

type testSuiteSummary struct {
	Name string `json:"name"`
	testCounts
	BuildIDs   []int64 `json:"build_ids"`
	SuiteError *string `json:"suite_error"`
}

// testReportSummary adds up what was counted when the jobs ended.
func (pipelines) testReportSummary(ctx context.Context, s inPipeline, _ pipelineID) (testSummary, error) {
	list, err := ci.TestSummaries(ctx, s.Store, s.Pipeline.ID)
	sum, out := testCounts{}, testSummary{Suites: []testSuiteSummary{}}
	at := map[string]int{}
	for _, job := range list {
		n, known := at[job.Suite]
		if !known {
			n = len(out.Suites)
			at[job.Suite] = n
			out.Suites = append(out.Suites, testSuiteSummary{Name: job.Suite})
		}
		suite := &out.Suites[n]
		counts := testCounts{job.Time, job.Total, job.Success, job.Failed, job.Skipped, job.Error}
		suite.add(counts)
		sum.add(counts)
		suite.BuildIDs = append(suite.BuildIDs, job.JobID)
		if suite.SuiteError == nil {
			suite.SuiteError = job.SuiteError
		}
	}
	out.Total = testTotals{
		Time: sum.TotalTime, Count: sum.TotalCount, Success: sum.SuccessCount, Failed: sum.FailedCount,
		Skipped: sum.SkippedCount, Error: sum.ErrorCount,
	}
	return out, err
}
