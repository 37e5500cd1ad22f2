package client

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Answers of other hosts, such as that of a ledger, have the limits of this host's.
func TestNetworkLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body  func(*http.Request) io.ReadCloser // nil: no answer
		took  time.Duration
		fails string
		final bool
	}{
		"silent": {nil, 30 * time.Second, "timed out after 30s", false},
		"a byte a second": {func(r *http.Request) io.ReadCloser { return &drip{r.Context(), 1, -1} },
			30 * time.Second, "and did not end", true},
		"without end": {func(*http.Request) io.ReadCloser { return io.NopCloser(endless{}) }, 0,
			"the answer is longer than 64 MiB", true},
		"short": {func(r *http.Request) io.ReadCloser { return &drip{r.Context(), 1, 25} }, 25 * time.Second, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				network, err := Config{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
					if c.body == nil {
						<-req.Context().Done()
						return nil, req.Context().Err()
					}
					return &http.Response{StatusCode: http.StatusOK, Request: req, Body: c.body(req)}, nil
				})}.Network(largestAnswer)
				require.NoError(t, err)
				began := time.Now()
				resp, err := (&http.Client{Transport: network}).Get("https://ledger.example.com")
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					require.NoError(t, resp.Body.Close())
				}
				require.InDelta(t, c.took.Seconds(), time.Since(began).Seconds(), 10, "buffers are small at first")
				if c.fails == "" {
					require.NoError(t, err)
					return
				}
				require.ErrorContains(t, err, c.fails)
				final, ok := err.(interface{ Final() bool })
				require.Equal(t, c.final, ok && final.Final())
			})
		})
	}
}
