package api_test

import (
	"fmt"
	"testing"
	"time"

	"hew/server/servertest"
)

// The bars of the benchmark of pipelines. Two idle processors make 200 jobs a second if each takes
// 10 ms of CPU, which can be told on a busy machine, too. The other one is of the transactions a
// second that pgbench makes before and after.
const (
	leastJobs    = 200
	mostCPU      = 10_000 // microseconds of hewd, runners and Postgres, for each job
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
	fmt.Fprintf(b.Output(), "\n%s\n%d jobs: %.0f/s, bar %d\n"+
		"CPU of each: %.0f µs of hewd and runners, %.0f µs of Postgres, bar %d\n"+
		"pgbench -N with as many clients %.0f/s: %.3f, bar %.2f\n", on, pipelines*jobsOfPipeline, ours, leastJobs,
		each(own), each(postgres), mostCPU, theirs, ours/theirs, leastOfBench)
	if cpu := each(own + postgres); ours < leastJobs && cpu > mostCPU {
		b.Errorf("%.0f jobs/s, and %.0f µs of CPU each, more than %d", ours, cpu, mostCPU)
	}
	if ours/theirs < leastOfBench {
		b.Errorf("%.3f of pgbench -N, and the bar is %.2f", ours/theirs, leastOfBench)
	}
}
