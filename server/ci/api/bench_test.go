package api_test

import (
	"fmt"
	"testing"
	"time"

	"hew/server/servertest"
)

// The bars of the benchmark of pipelines: jobs a second on a machine that does nothing else, and of
// the transactions a second that pgbench makes there, before and after.
const (
	leastJobs    = 200
	leastOfBench = 0.1
	benchRunners = 50
)

// BenchmarkPipelines creates pipelines of twenty jobs by the API, while fifty runners run them.
func BenchmarkPipelines(b *testing.B) {
	pipelines, during := 1000, 5*time.Second
	if testing.Short() {
		pipelines, during = 50, time.Second
	}
	f := newFleet(b, 10)
	on := servertest.Machine()
	f.run(10, benchRunners) // until the statements are planned
	theirs := servertest.PgBench(b, benchRunners, during)
	own, postgres := servertest.OwnCPU(b), f.s.PostgresCPU(b)
	f.over.Store(0)
	clear(f.given)
	ours := f.run(pipelines, benchRunners)
	own, postgres = servertest.OwnCPU(b)-own, f.s.PostgresCPU(b)-postgres
	theirs = (theirs + servertest.PgBench(b, benchRunners, during)) / 2
	each := func(cpu time.Duration) float64 {
		return float64(cpu.Microseconds()) / float64(pipelines*jobsOfPipeline)
	}
	fmt.Fprintf(b.Output(), "\n%s\n%d jobs: %.0f/s, bar %d on an idle machine; %.0f µs of hewd and runners, %.0f µs of Postgres each\n"+
		"pgbench -N with as many clients %.0f/s: %.3f, bar %.2f\n", on, pipelines*jobsOfPipeline, ours, leastJobs,
		each(own), each(postgres), theirs, ours/theirs, leastOfBench)
	if ours < leastJobs && ours/theirs < leastOfBench {
		b.Errorf("%.0f jobs/s, %.3f of pgbench -N: both bars are missed", ours, ours/theirs)
	}
}
