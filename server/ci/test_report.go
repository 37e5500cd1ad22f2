package ci

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/junit"
	"hew/server/db"
)

// TestSuite is what jobs of one group say of their tests (CI facts §5).
type TestSuite struct {
	Name string
	junit.Suite
}

// testFile is a JUnit report of a job.
type testFile struct {
	Artifact
	JobName string `db:"job_name"`
	Base    string `db:"base"` // the name of the job in the definition
}

// testFilesOf are the reports of jobs that are over: of a pipeline and of those that are part of
// it, the newest of each name, in the order of the jobs.
const testFilesOf = withParts + `
	select a.*, j.name as job_name, coalesce(d.definition ->> 'base', j.name) as base
	from parts
	  join jobs j on j.pipeline_id = parts.id
	  join job_artifacts a on a.job_id = j.id and a.file_type = 'junit'
	  left join job_definitions d on d.id = j.definition_id
	where not j.retried and j.status in ('success', 'failed', 'canceled')
	order by j.id`

// maxReports is how many bytes of reports one request reads, unpacked.
const maxReports = 50 << 20

// ReadTestReport reads the test report of a pipeline from the artifacts of its jobs.
func ReadTestReport(ctx context.Context, st *db.Store, pipelineID int64) ([]*TestSuite, error) {
	files, err := db.Many[testFile](ctx, st, testFilesOf, pgx.NamedArgs{"pipeline": pipelineID})
	if err != nil {
		return nil, err
	}
	var suites []*TestSuite
	byName, left := map[string]*TestSuite{}, int64(maxReports)
	for _, f := range files {
		name := f.suite()
		suite := byName[name]
		if suite == nil {
			suite = &TestSuite{Name: name}
			byName[name] = suite
			suites = append(suites, suite)
		}
		if left <= 0 {
			suite.Error = "JUnit data parsing failed: the reports of the pipeline are larger than 50 MB"
			continue
		}
		if err := f.addTo(ctx, st, &suite.Suite, &left); err != nil {
			return nil, err
		}
	}
	return suites, nil
}

// addTo adds the cases of a report to a suite, as far as left bytes reach.
func (f testFile) addTo(ctx context.Context, st *db.Store, s *junit.Suite, left *int64) error {
	from, err := f.Open(ctx, st)
	if err != nil {
		return err
	}
	return errors.Join(s.AddWithin(left, from, f.FileFormat == "gzip", f.JobID), from.Close())
}

// suite returns the name of the suite of a job: instances of a parallel job share one, those of a
// matrix do not.
func (f testFile) suite() string {
	if instance, ok := strings.CutPrefix(f.JobName, f.Base); ok && strings.HasPrefix(instance, ": [") {
		return f.JobName
	}
	return (&definition.Job{Name: f.JobName}).Group()
}
