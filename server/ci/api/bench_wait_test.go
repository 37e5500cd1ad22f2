package api_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/db"
	"hew/server/servertest"
)

// The bars of runners that wait.
const (
	mostMemory  = 500 << 20 // bytes, of 5,000 runners
	mostQueries = 0.1       // statements a second, of each
	mostDelay   = 50 * time.Millisecond
)

// BenchmarkWaitingRunners has 5,000 runners wait for a job by long polls, each with a connection of
// its own, and then makes jobs.
func BenchmarkWaitingRunners(b *testing.B) {
	runners, quiet, jobs := 5000, 5*time.Second, 30
	if testing.Short() {
		runners, quiet, jobs = 500, time.Second, 5
	}
	f := newFleet(b, 1)
	on := servertest.Machine()
	tokens := f.manyRunners(runners)
	require.NoError(b, f.s.Store.Exec(b.Context(), `create extension if not exists pg_stat_statements`, nil))
	before := memory()
	conns := make([]net.Conn, runners)
	for n, token := range tokens {
		conns[n] = f.wait(token)
	}
	require.Eventually(b, func() bool { return ci.Waiting(f.s.Store) == runners }, time.Minute, 10*time.Millisecond)
	used := memory() - before
	statements := f.statements()
	began := time.Now()
	time.Sleep(quiet)
	each := float64(f.statements()-statements) / time.Since(began).Seconds() / float64(runners)
	delays := f.delays(conns, jobs)
	worst, usual := slices.Max(delays), median(delays)
	const kib = 1024.0
	fmt.Fprintf(b.Output(), "\n%s\n%d waiting runners: %.0f KiB each, bar %.0f\n"+
		"%.4f statements a second each, bar %.1f\na job is with one after %v, at worst of %d %v, bar %v\n",
		on, runners, float64(used)/float64(runners)/kib, mostMemory/5000/kib, each, mostQueries, usual, jobs, worst,
		mostDelay)
	if used > mostMemory/5000*int64(runners) || each > mostQueries || usual > mostDelay {
		b.Error("a bar is missed")
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// manyRunners makes runners of the instance by copies of one, and returns their tokens.
func (f *fleet) manyRunners(n int) (tokens []string) {
	f.newRunner()
	for i := range n {
		tokens = append(tokens, fmt.Sprintf("glrt-waiting%08d", i))
	}
	require.NoError(f, f.s.Store.Exec(f.Context(), `
		insert into runners (runner_type, digest, created_by_id)
		select r.runner_type, sha256(t.token::bytea), r.created_by_id
		from unnest(@tokens::text[]) t (token), (select * from runners limit 1) r`, pgx.NamedArgs{"tokens": tokens}))
	return tokens
}

// wait has a runner ask for a job twice over a connection: the second request is held.
func (f *fleet) wait(token string) net.Conn {
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.s.Server.URL(), "http://"))
	require.NoError(f, err)
	f.Cleanup(func() { _ = conn.Close() })
	ask := func(last string) {
		body := requestBody(token, last)
		_, err := fmt.Fprintf(conn, "POST /api/v4/jobs/request HTTP/1.1\r\nHost: hewd\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		require.NoError(f, err)
	}
	ask("")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(f, err)
	require.Equal(f, http.StatusNoContent, resp.StatusCode)
	ask(resp.Header.Get("X-GitLab-Last-Update"))
	return conn
}

// memory returns the bytes of heap and stacks in use, after a collection. The clients' side of each
// connection is in them.
func memory() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// statements returns how many statements Postgres has executed.
func (f *fleet) statements() int64 {
	n, err := db.Value[int64](f.Context(), f.s.Store, `
		select coalesce(sum(calls), 0)::bigint from pg_stat_statements where query !~ 'pg_stat|river_'`, nil)
	require.NoError(f, err)
	return n
}

// delays makes pipelines of a single job and returns how long after the commit of each a waiting
// runner has the job.
func (f *fleet) delays(conns []net.Conn, jobs int) (list []time.Duration) {
	p := ci.Pipeline{ProjectID: f.projects[0], Source: ci.ByPush, Ref: "main", Commit: f.commit}
	given := make(chan time.Time, len(conns))
	for _, conn := range conns {
		go func() {
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err == nil && resp.StatusCode == http.StatusCreated {
				given <- time.Now()
			}
		}()
	}
	for range jobs {
		_, err := ci.StorePipeline(f.Context(), f.s.Store, p, nil, []*definition.Job{script("job", 1)})
		require.NoError(f, err)
		made := time.Now()
		select {
		case at := <-given:
			list = append(list, at.Sub(made))
		case <-time.After(20 * time.Second):
			f.Fatal("no runner got the job")
		}
	}
	return list
}
