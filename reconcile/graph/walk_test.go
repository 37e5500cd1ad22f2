package graph_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/graph"
)

var errRefused = errors.New("refused")

// print returns a report on one line: "done a b; failed c; skipped d(c); unstarted e".
func print(r graph.Report[string]) string {
	var parts []string
	add := func(word string, names []string) {
		if len(names) > 0 {
			parts = append(parts, word+" "+strings.Join(names, " "))
		}
	}
	var failed, skipped []string
	for _, f := range r.Failed {
		failed = append(failed, f.Node)
	}
	for _, s := range r.Skipped {
		skipped = append(skipped, s.Node+"("+s.Cause+")")
	}
	add("done", r.Done)
	add("failed", failed)
	add("skipped", skipped)
	add("unstarted", r.Unstarted)
	return strings.Join(parts, "; ")
}

func TestWalk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ graph, fail, cancel, visits, want string }{
		{graph: "", want: ""},
		{graph: "a<b b c", visits: "b a c", want: "done a b c"},
		{graph: "a b<a c<b d", fail: "a", visits: "a d", want: "done d; failed a; skipped b(a) c(a)"},
		{graph: "a b c<a,b d<c", fail: "a b", visits: "a b", want: "failed a b; skipped c(a) d(a)"},
		{graph: "a b c<b,a", fail: "b", visits: "a b", want: "done a; failed b; skipped c(b)"},
		{graph: "a b<a c<b d", cancel: "a", visits: "a", want: "done a; unstarted b c d"},
		{graph: "a b<a c d<c,b", fail: "a", cancel: "a", visits: "a", want: "failed a; skipped b(a) d(a); unstarted c"},
	} {
		t.Run(tt.graph+" "+tt.fail+tt.cancel, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var visits []string
			report, err := parse(tt.graph).Walk(ctx, 1, func(_ context.Context, k string) error {
				visits = append(visits, k)
				if k == tt.cancel {
					cancel()
				}
				if strings.Contains(tt.fail, k) {
					return errRefused
				}
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, tt.want, print(report))
			require.Equal(t, tt.visits, strings.Join(visits, " "))
			for _, f := range report.Failed {
				require.ErrorIs(t, f.Err, errRefused)
			}
		})
	}
}

func TestWalkOfACycleVisitsNothing(t *testing.T) {
	t.Parallel()
	_, err := parse("ok a<b b<a").Walk(t.Context(), 4, func(context.Context, string) error {
		t.Error("visited")
		return nil
	})
	var cycle *graph.CycleError[string]
	require.ErrorAs(t, err, &cycle)
}

func TestWalkFillsItsWidthAndNoMore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ width, full int }{{1, 1}, {2, 2}, {3, 3}, {0, 6}} {
		var started, running atomic.Int32
		full := make(chan struct{}) // none ends before as many as may run at once do
		_, err := parse("a b c d e f").Walk(t.Context(), tt.width, func(context.Context, string) error {
			if now := int(running.Add(1)); now > tt.full {
				t.Errorf("width %d: %d at once", tt.width, now)
			}
			if int(started.Add(1)) == tt.full {
				close(full)
			}
			<-full
			running.Add(-1)
			return nil
		})
		require.NoError(t, err)
	}
}

func TestWalkLetsThoseInFlightFinish(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	inFlight := make(chan struct{})
	report, err := parse("slow quick after<quick").Walk(ctx, 2, func(ctx context.Context, k string) error {
		if k == "slow" {
			close(inFlight)
			<-ctx.Done() // goes on after the end of the context
			return nil
		}
		<-inFlight
		cancel()
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "done slow quick; unstarted after", print(report))
}

// The race detector checks here that a visit sees, without a lock, what the visits of its needs
// wrote.
func TestWalkOrdersMemory(t *testing.T) {
	t.Parallel()
	g := wide(500)
	sums := make([]int, len(g.Nodes()))
	_, err := g.Walk(t.Context(), 8, func(_ context.Context, k int) error {
		sums[k] = 1
		for _, need := range g.Needs(k) {
			sums[k] += sums[need] % 7
		}
		return nil
	})
	require.NoError(t, err)
	require.NotContains(t, sums, 0)
}

func BenchmarkWalk(b *testing.B) {
	g := wide(10_000)
	for b.Loop() {
		if _, err := g.Walk(b.Context(), 32, func(context.Context, int) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
