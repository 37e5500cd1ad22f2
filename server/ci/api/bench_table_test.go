package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
)

// mostOfRequest is the bar of a request for a job, in milliseconds of Postgres.
const mostOfRequest = 3

// crowd are the statements that add jobs that are over, 20 of a pipeline: a fifth of them in
// the project @big, the others in a thousand projects.
var crowd = []string{
	`insert into users (username, name, email)
	 select 'u' || i, 'u' || i, 'u' || i || '@example.com' from generate_series(1, 100) i`,
	`insert into projects (namespace_id, name, path, full_path, settings)
	 select p.namespace_id, p.name || i, p.path || '-' || i, p.full_path || '-' || i, p.settings
	 from projects p, generate_series(1, 1000) i where p.id = @big`,
	`insert into pipelines (project_id, iid, status, source, ref, commit_oid, user_id, name, yaml_errors, created_at,
	     updated_at, started_at, finished_at, duration, queued_duration)
	 select case when i % 5 = 0 then @big else p.first + i / 5 % 1000 end, 1000000 + i,
	        case when i % 11 = 0 then 'failed' when i % 50 = 7 then 'canceled' else 'success' end,
	        case when i % 100 = 5 then 'schedule' else 'push' end,
	        case when i % 3 = 0 then 'main' else 'topic-' || i % 997 end,
	        substring(sha256(int8send(i / 10)) for 20), u.last - i % 100, case when i % 500 = 0 then 'nightly' end,
	        case when i % 1000 = 0 then 'bad' end, at, at, at, at + interval '9 minutes', 540, 3
	 from (select i, now() - (@jobs::int / 20 - i) * interval '1 minute' as at
	       from generate_series(1, @jobs::int / 20) i) i,
	      (select min(c.id) as first from projects c, projects b
	       where b.id = @big and c.full_path like b.full_path || '-%') p,
	      (select max(id) as last from users) u`,
	`insert into jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, starts, user_id, definition_id,
	     runner_id, trace_size, queued_at, started_at, finished_at, created_at, updated_at)
	 select l.project_id, l.id, 'build', 'job' || k, 'test', k / 7,
	        case when l.status <> 'success' and k = 20 then l.status else 'success' end, 'on_success', l.user_id, d.id,
	        r.first + k % 50, 1000, l.created_at, l.created_at, l.finished_at, l.created_at, l.finished_at
	 from pipelines l, generate_series(1, 20) k, (select min(id) as id from job_definitions) d,
	      (select min(id) as first from runners) r
	 where l.iid > 1000000 order by l.id`,
	`vacuum analyze`,
}

// jobLists are the lists that are measured, held to the bar of lists of issues.
var jobLists = []string{
	"/projects/$big/pipelines",
	"/projects/$big/pipelines?page=400",
	"/projects/$big/pipelines?status=failed",
	"/projects/$big/pipelines?scope=running",
	"/projects/$big/pipelines?scope=finished",
	"/projects/$big/pipelines?scope=branches",
	"/projects/$big/pipelines?ref=main",
	"/projects/$big/pipelines?ref=topic-5",
	"/projects/$big/pipelines?username=u5",
	"/projects/$big/pipelines?source=schedule",
	"/projects/$big/pipelines?name=nightly",
	"/projects/$big/pipelines?yaml_errors=true",
	"/projects/$big/pipelines?order_by=updated_at&sort=asc",
	"/projects/$big/pipelines?updated_after=2020-01-01T00:00:00Z",
	"/projects/$big/jobs",
	"/projects/$big/jobs?page=400",
	"/projects/$big/jobs?pagination=keyset&per_page=100",
	"/projects/$big/jobs?scope=failed",
	"/projects/$big/jobs?scope[]=failed&scope[]=canceled",
	"/projects/$big/jobs?scope=pending",
	"/projects/$big/pipelines/$pipeline/jobs",
	"/runners/$runner/jobs",
	"/runners/$runner/jobs?status=failed",
}

// BenchmarkJobs measures what a request for a job, and lists of pipelines and jobs, cost Postgres
// with a million jobs, while four hundred jobs of twenty projects wait.
func BenchmarkJobs(b *testing.B) {
	jobs := 1_000_000
	if testing.Short() {
		jobs = 100_000
	}
	f := newFleet(b, 20)
	var tokens []string
	for range 50 {
		tokens = append(tokens, f.newRunner())
	}
	f.create(100, 0, 1)
	for _, sql := range crowd {
		_, err := f.s.Store.DB().Exec(b.Context(), sql, pgx.NamedArgs{"big": f.projects[0], "jobs": jobs})
		require.NoError(b, err, sql)
	}
	ask := func() {
		r := f.s.Do(b, "", "POST", "/jobs/request", json.RawMessage(requestBody(tokens[0], "")))
		require.Equal(b, http.StatusCreated, r.Status, "%s", r.Body)
	}
	for range 20 {
		ask() // so that some run, and the statements are planned
	}
	b.Run("request for a job", func(b *testing.B) {
		ms := f.s.PostgresTime(b, ask)
		b.ReportMetric(ms, "ms-Postgres/op")
		b.ReportMetric(0, "ns/op")
		if ms > mostOfRequest {
			b.Errorf("%.1f ms of Postgres, more than %d", ms, mostOfRequest)
		}
	})
	type ids struct {
		Pipeline int64 `db:"pipeline"`
		Runner   int64 `db:"runner"`
	}
	first, err := db.One[ids](b.Context(), f.s.Store, "", `
		select (select min(id) from pipelines where project_id = @big and iid > 1000000) as pipeline,
		       (select min(id) from runners) as runner`, pgx.NamedArgs{"big": f.projects[0]})
	require.NoError(b, err)
	places := strings.NewReplacer("$big", fmt.Sprint(f.projects[0]), "$pipeline", fmt.Sprint(first.Pipeline),
		"$runner", fmt.Sprint(first.Runner))
	for _, path := range jobLists {
		b.Run(strings.TrimPrefix(path, "/"), func(b *testing.B) {
			f.s.HoldToBar(b, servertest.RootToken, places.Replace(path), 20)
		})
	}
}
