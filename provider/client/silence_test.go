package client

import (
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSilence: a host that answers nothing is reported once a try, after 10 s, and given up after
// 30 s a try; one that stalls within an answer is reported too.
func TestSilence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		method   string
		answer   time.Duration // until the answer begins; 0 for never
		body     time.Duration
		parallel int
		want     []string
		took     time.Duration // at least
		fails    string
	}{
		{name: "never", method: http.MethodGet, fails: " in 2 attempts: timed out after 30s", took: time.Minute,
			want: []string{"Waiting for https://git.example.com: no response for 10s (attempt 1 of 2)",
				"Waiting for https://git.example.com: no response for 10s (attempt 2 of 2)"}},
		{name: "never, to several", method: http.MethodGet, parallel: 5, fails: "timed out after 30s",
			took: time.Minute,
			want: []string{"Waiting for https://git.example.com: no response for 10s (attempt 1 of 2)",
				"Waiting for https://git.example.com: no response for 10s (attempt 2 of 2)"}},
		{name: "never, to a write", method: http.MethodPost, fails: "timed out after 30s", took: 30 * time.Second,
			want: []string{"Waiting for https://git.example.com: no response for 10s (attempt 1 of 1)"}},
		{name: "late", method: http.MethodGet, answer: 29 * time.Second, took: 29 * time.Second,
			want: []string{"Waiting for https://git.example.com: no response for 10s (attempt 1 of 2)"}},
		{name: "in time", method: http.MethodGet, answer: 9 * time.Second, took: 9 * time.Second},
		{name: "a long body", method: http.MethodGet, answer: time.Second, body: time.Minute, took: time.Minute,
			want: []string{"Waiting for https://git.example.com: no response for 10s (attempt 1 of 2)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var said []string
				note := func(s Silence) {
					mu.Lock()
					defer mu.Unlock()
					said = append(said, s.String())
				}
				client := open(t, Config{Retries: 1, Silent: note,
					Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
						if c.answer == 0 {
							<-req.Context().Done()
							return nil, req.Context().Err()
						}
						time.Sleep(c.answer) // virtual
						return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: req,
							Body: slowBody(c.body)}, nil
					})})
				began := time.Now()
				results := make(chan error)
				for range max(c.parallel, 1) {
					go func() {
						_, err := client.do(t.Context(), c.method, To("user"), nil, nil, nil)
						results <- err
					}()
				}
				for range max(c.parallel, 1) {
					if err := <-results; c.fails != "" {
						require.ErrorContains(t, err, c.fails)
					} else {
						require.NoError(t, err)
					}
				}
				require.GreaterOrEqual(t, time.Since(began), c.took)
				heard := func() []string {
					mu.Lock()
					defer mu.Unlock()
					return slices.Clone(said)
				}
				require.Equal(t, c.want, heard())
				time.Sleep(time.Minute) // virtual: nothing is in flight, so nothing is reported
				require.Len(t, heard(), len(c.want))
			})
		})
	}
}

// slowBody is an empty body that takes some time to end.
type slowBody time.Duration

func (b slowBody) Read([]byte) (int, error) {
	time.Sleep(time.Duration(b)) // virtual
	return 0, io.EOF
}

func (b slowBody) Close() error { return nil }
