package testacc

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"hew/server/servertest"
)

// distance is what a request takes to a host that is far away and back.
const distance = 50 * time.Millisecond

// The bars: seconds, seconds of CPU and MiB of whole processes at that distance.
const (
	startCPU        = 0.012 // of hew version
	planGrowth      = 1.3   // CPU per object at 10,000 by that at 1,000
	validateSeconds = 1.6   // of 10,000 blocks, without a request
	joinSeconds     = 4     // of 1,000 members
	joinCPU         = 0.7
	showSeconds     = 3 // to plan 10,000 changes, with a host that is near, and to show them in any format
	joinRequests    = 1014
)

// planBars are the bars for a plan of 10,000 unchanged objects, by form.
var planBars = map[string]struct{ seconds, cpu, mib float64 }{
	"blocks": {1.6, 1.7, 240}, "for_each": {1.1, 1.0, 200},
}

// BenchmarkHew runs hew against a hewd that is 50 ms away and fails where it misses a bar. Of
// several runs the quickest counts, since whatever else the machine does can only slow them, and
// the largest memory.
func BenchmarkHew(b *testing.B) {
	on := servertest.Machine()
	r := newRig(b)
	r.server.Crowd(b, "u", 1000)
	t := &table{}
	b.Run("start", func(b *testing.B) { r.start(b, t) })
	for _, f := range forms {
		var per [2]float64
		for i, n := range []int{1_000, 10_000} {
			b.Run(fmt.Sprintf("plan/%s/%d", f.name, n), func(b *testing.B) {
				per[i] = r.plan(b, t, f, n)
			})
		}
		if per[0] > 0 && per[1] > 0 {
			t.bar(b, fmt.Sprintf("CPU per object by %s, 10,000 to 1,000", f.name), per[1]/per[0], planGrowth)
		}
	}
	for _, format := range []string{"text", "json", "markdown", "html", "widget", "junit", "sarif"} {
		b.Run("show/"+format, func(b *testing.B) { r.show(b, t, format, 10_000) })
	}
	b.Run("apply/members/1000", func(b *testing.B) { r.join(b, t, 1000) })
	b.Run("plan/members/700", func(b *testing.B) { r.granted(b, t) })
	b.Run("plan/fleet/200", func(b *testing.B) { r.fleet(b, t) })
	b.Run("pull/2000", func(b *testing.B) { r.pull(b, t) })
	fmt.Fprintf(b.Output(), "\n%s\n%s", on, t)
}

// start measures a command that does nothing.
func (r *rig) start(b *testing.B, t *table) {
	dir := b.TempDir()
	var best run
	for i := range 20 {
		best = best.least(r.hew(b, dir, "version"), i == 0)
	}
	t.row("version", 1, best, 0)
	t.bar(b, "version: CPU seconds", best.cpu.Seconds(), startCPU)
}

// plan measures the plan of n unchanged objects. It returns the microseconds of CPU per object.
func (r *rig) plan(b *testing.B, t *table, f form, n int) float64 {
	e := newEstate(fmt.Sprintf("%s-%d-%d", f.name, n, b.N), n)
	dir := write(b, f.files(e))
	r.move(0)
	t.row(fmt.Sprintf("apply %d by %s, near", n, f.name), n, r.hew(b, dir, "apply", "-auto-approve", "-compact"), 0)
	r.move(distance)
	b.ResetTimer()
	best := r.unchanged(b, dir, max(3, b.N))
	b.StopTimer()
	per := float64(best.cpu.Microseconds()) / float64(n)
	b.ReportMetric(best.seconds, "s/plan")
	b.ReportMetric(float64(len(best.asked)), "requests")
	b.ReportMetric(best.mib, "MiB")
	b.ReportMetric(per, "CPU-µs/object")
	name := fmt.Sprintf("plan %d by %s", n, f.name)
	t.row(name, n, best, e.requests())
	t.bar(b, name+": requests", float64(len(best.asked)), float64(e.requests()))
	if n == 10_000 {
		most := planBars[f.name]
		t.bar(b, name+": seconds", best.seconds, most.seconds)
		t.bar(b, name+": CPU seconds", best.cpu.Seconds(), most.cpu)
		t.bar(b, name+": MiB", best.mib, most.mib)
		r.validate(b, t, f, dir, n)
	}
	return per
}

// validate measures the check of the same configuration without a host.
func (r *rig) validate(b *testing.B, t *table, f form, dir string, n int) {
	var best run
	for i := range 3 {
		u := r.hew(b, dir, "validate")
		if !strings.Contains(u.said, "The configuration is valid.") {
			b.Fatalf("hew validate says:\n%s", tail(u.said))
		}
		best = best.least(u, i == 0)
	}
	name := fmt.Sprintf("validate %d by %s", n, f.name)
	t.row(name, n, best, 0)
	t.bar(b, name+": requests", float64(len(best.asked)), 0)
	t.bar(b, name+": seconds", best.seconds, validateSeconds)
}

// show measures the plan of n objects that are not there yet, in a format. The host is near and has
// little to tell.
func (r *rig) show(b *testing.B, t *table, format string, n int) {
	dir := write(b, estate.each(newEstate("shown", n)))
	r.move(0)
	var best run
	for i := range 3 {
		best = best.least(r.hew(b, dir, "plan", "-format="+format, "-o=answer"), i == 0)
	}
	b.ReportMetric(best.seconds, "s/plan")
	name := fmt.Sprintf("show %d as %s", n, format)
	t.row(name, n, best, 0)
	t.bar(b, name+": seconds", best.seconds, showSeconds)
}

// join measures an apply that lets n users into a new group.
func (r *rig) join(b *testing.B, t *table, n int) {
	var best run
	r.move(distance)
	for i := range max(3, b.N) {
		dir := write(b, roster(fmt.Sprintf("roster-%d-%d", b.N, i), n))
		b.StartTimer()
		u := r.hew(b, dir, "apply", "-auto-approve", "-compact")
		b.StopTimer()
		if want := fmt.Sprintf("Done: %d created", n+1); !strings.Contains(u.said, want) {
			b.Fatalf("hew does not say %q but:\n%s", want, tail(u.said))
		}
		best = best.least(u, i == 0)
	}
	b.ReportMetric(best.seconds, "s/apply")
	b.ReportMetric(float64(len(best.asked)), "requests")
	name := fmt.Sprintf("apply %d members", n)
	t.row(name, n, best, joinRequests)
	t.bar(b, name+": requests", float64(len(best.asked)), joinRequests)
	t.bar(b, name+": seconds", best.seconds, joinSeconds)
	t.bar(b, name+": CPU seconds", best.cpu.Seconds(), joinCPU)
}

// table collects what is printed at the end.
type table struct{ rows, bars []string }

// row adds a run; most is its bar for requests, 0 for none.
func (t *table) row(name string, n int, u run, most int) {
	limit := ""
	if most > 0 {
		limit = fmt.Sprint("of ", most)
	}
	t.rows = append(t.rows, fmt.Sprintf("%s\t%d\t%.2f\t%d\t%s\t%.0f\t%.0f\t", name, u.distance.Milliseconds(),
		u.seconds, len(u.asked), limit, u.mib, float64(u.cpu.Microseconds())/float64(n)))
}

// bar holds a figure to its bar.
func (t *table) bar(b *testing.B, what string, got, most float64) {
	verdict := "holds"
	if got > most {
		verdict = fmt.Sprintf("MISSED by %.0f %%", 100*(got/most-1))
		b.Errorf("%s: %.4g, and the bar is %.4g", what, got, most)
	}
	t.bars = append(t.bars, fmt.Sprintf("%s\t%.4g\tof %.4g\t%s", what, got, most, verdict))
}

func (t *table) String() string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "\tms a response\tseconds\trequests\t\tpeak MiB\tCPU µs/object\t\n%s\n\t\nbar\t\t\t\n%s\n",
		strings.Join(t.rows, "\n"), strings.Join(t.bars, "\n"))
	_ = w.Flush() // into memory
	return out.String()
}
