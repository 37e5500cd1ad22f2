//go:build unix

package cli

import (
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report/reporttest"
)

// BenchmarkRender shows a plan of 10,000 changes in every format. Of several runs the quickest
// counts, since whatever else the machine does can only slow them.
func BenchmarkRender(b *testing.B) {
	p := reporttest.Year(10_000)
	for _, format := range formats {
		b.Run(format, func(b *testing.B) {
			best := 0.0
			for range max(3, b.N) {
				began := cpu(b)
				a := &app{out: io.Discard, err: io.Discard, now: time.Now, tty: func(any) bool { return false }}
				v, err := a.newReporter("plan", rendering{format: format})
				require.NoError(b, err)
				v.Plan(p)
				require.NoError(b, v.Close())
				if took := cpu(b) - began; best == 0 || took < best {
					best = took
				}
			}
			b.ReportMetric(best, "CPU-s/plan")
			require.Less(b, best, renderSeconds)
		})
	}
}

// cpu is how long this process has been at work, in seconds.
func cpu(t testing.TB) float64 {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

const (
	renderSeconds = 1.5
)
