package client

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// slowly delays a handler; virtually in a bubble, really in a benchmark.
func slowly(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(50 * time.Millisecond)
		h.ServeHTTP(w, r)
	}
}

func listAll(t testing.TB, c *Client) {
	l, err := c.List(t.Context(), To("projects"), nil)
	require.NoError(t, err)
	rows := 0
	for _, err := range Items[int](l) {
		require.NoError(t, err)
		rows++
	}
	require.Equal(t, 10_000, rows)
}

func TestTenThousandRowsAreListedInNoTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		listAll(t, open(t, Config{Transport: inProcess{slowly(&pager{rows: 10_000})}}))
		require.LessOrEqual(t, time.Since(began), 300*time.Millisecond)
	})
}

// The bars for these on a real network: 0.6 s for 100 pages, 3.5 s for 1,000 writes.

func BenchmarkList100PagesAt50ms(b *testing.B) {
	s := serve(b, slowly(&pager{rows: 10_000}))
	for b.Loop() {
		listAll(b, open(b, Config{BaseURL: s.URL}))
	}
}

func BenchmarkPost1000At50ms(b *testing.B) {
	s := serve(b, slowly(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { reply(w, 201, `{}`) })))
	for b.Loop() {
		flood(b, open(b, Config{BaseURL: s.URL}), 1000)
	}
}
