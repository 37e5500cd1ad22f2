package errortracking_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/errortracking"
	"hew/server/servertest"
)

// BenchmarkReceive is what it costs to read and store an event of 10 KB: of one error, which all
// wait for, and of a hundred.
func BenchmarkReceive(b *testing.B) {
	w := servertest.NewWorld(b)
	alice := w.User("alice")
	p := w.Project("shop", w.Group("acme", nil, alice.ID).ID, alice.ID)
	event := strings.Replace(exception("E", "order 7", "pay", 10), "{",
		`{"extra":{"text":"`+strings.Repeat("x", 10_000)+`"},"user":{"id":7},`, 1)
	for _, errors := range []int{1, 100} {
		b.Run(fmt.Sprintf("errors=%d", errors), func(b *testing.B) {
			var n atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					given := fmt.Sprintf(`{"fingerprint":["%d of %d"],`, n.Add(1)%int64(errors), errors)
					r, err := errortracking.ReadReport([]byte(strings.Replace(event, "{", given, 1)), "")
					if err == nil {
						err = errortracking.Receive(b.Context(), w.Store, p.ID, r)
					}
					if err != nil {
						b.Error(err)
						return
					}
				}
			})
			require.Positive(b, n.Load())
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
