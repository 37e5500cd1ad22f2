package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/junit"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/tree"
)

// maxFailures is how many failed tests of a job are remembered. Where more fail, something else is
// broken, and none is.
const maxFailures = 200

// failureDays is for how many days failed tests are remembered.
const failureDays = 14

// testDigest tells the tests of a project apart.
func testDigest(suite string, c junit.Case) []byte {
	digest := secret.Digest(suite + "_" + c.Classname + "_" + c.Name)
	return digest[:]
}

// failedIn returns the digests of the cases of a suite that failed.
func failedIn(name string, s *junit.Suite) (digests [][]byte) {
	for _, c := range s.Cases() {
		if c.Status == junit.Failed || c.Status == junit.Error {
			digests = append(digests, testDigest(name, c))
		}
	}
	return digests
}

// storeFailures remembers the tests that failed in a job if it is one of the default branch, and
// forgets old ones.
func storeFailures(ctx context.Context, st *db.Store, projectID, jobID int64, digests [][]byte) error {
	if len(digests) == 0 || len(digests) > maxFailures {
		return nil
	}
	p, err := tree.FindProject(ctx, st, projectID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	if err := st.Exec(ctx, `
		insert into test_failures (project_id, digest, job_id, failed_at)
		select distinct j.project_id, g.digest, j.id, coalesce(j.finished_at, now())
		from jobs j join pipelines l on l.id = j.pipeline_id
			cross join unnest(@digests::bytea[]) g (digest)
		where j.id = @job and l.ref = @head and not l.tag and l.merge_request_id is null
		on conflict on constraint test_failures_pkey do nothing`,
		pgx.NamedArgs{"job": jobID, "digests": digests, "head": p.Head}); err != nil {
		return err
	}
	return st.Exec(ctx, `
		delete from test_failures where (job_id, digest) in (
			select job_id, digest from test_failures where failed_at < now() - make_interval(days => @days)
			order by failed_at limit 1000 for update skip locked)`, pgx.NamedArgs{"days": failureDays})
}

// RecentFailures says how often a test failed lately in the default branch.
type RecentFailures struct {
	Count  int    `json:"count"`
	Branch string `json:"base_branch"`
}

// CountFailures returns how often the failed cases of suites of a project failed lately. It returns
// nil for a case that has not.
func CountFailures(
	ctx context.Context, st *db.Store, projectID int64, branch string, suites []*TestSuite,
) (func(suite string, c junit.Case) *RecentFailures, error) {
	var digests [][]byte
	for _, s := range suites {
		digests = append(digests, failedIn(s.Name, &s.Suite)...)
	}
	counts := map[string]int{}
	if len(digests) > 0 {
		rows, err := db.Many[struct {
			Digest []byte `db:"digest"`
			Count  int    `db:"count"`
		}](ctx, st, `
			select digest, count(*)::int as count from test_failures
			where project_id = @project and digest = any(@digests::bytea[])
				and failed_at >= now() - make_interval(days => @days) group by digest`,
			pgx.NamedArgs{"project": projectID, "digests": digests, "days": failureDays})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			counts[string(r.Digest)] = r.Count
		}
	}
	return func(suite string, c junit.Case) *RecentFailures {
		n := 0
		if c.Status == junit.Failed || c.Status == junit.Error {
			n = counts[string(testDigest(suite, c))]
		}
		if n == 0 {
			return nil
		}
		return &RecentFailures{n, branch}
	}, nil
}
