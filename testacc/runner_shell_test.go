package testacc

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// shellRunner runs jobs as the stock runner does with a shell for an executor: without a container,
// in a clean environment. It speaks only the protocol of runners, so it runs the jobs of any server
// that has this protocol.
type shellRunner struct {
	testing.TB
	client   *http.Client
	url      string // of the API
	token    string // of the runner
	systemID string
	path     string        // PATH of jobs
	builds   string        // the directory of checkouts
	interval time.Duration // between two parts of a trace
	ended    chan endedJob
}

// endedJob is a job that the runner has told the end of.
type endedJob struct {
	jobForRunner
	outcome
	log string // as it was sent
}

// mostEnded is how many ended jobs a runner keeps for a test that does not look at them.
const mostEnded = 100_000

// newShellRunner registers a runner and has it run jobs, up to so many at once, until the test
// ends. Jobs find programs in the directories of tools first.
func newShellRunner(t testing.TB, url, token string, concurrent int, tools ...string) *shellRunner {
	t.Helper()
	r := &shellRunner{
		TB: t, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrent}}, url: url,
		systemID: "s_" + filepath.Base(t.TempDir()), builds: t.TempDir(), interval: 50 * time.Millisecond,
		path:  strings.Join(append(tools, os.Getenv("PATH")), string(filepath.ListSeparator)),
		ended: make(chan endedJob, mostEnded),
	}
	ctx, cancel := context.WithCancel(context.Background())
	require.NoError(t, r.register(ctx, token))
	var working sync.WaitGroup
	for range concurrent {
		working.Go(func() { r.work(ctx) })
	}
	t.Cleanup(func() {
		cancel()
		working.Wait()
		r.client.CloseIdleConnections()
	})
	return r
}

// work runs one job after another, until the server does not want the runner any more.
func (r *shellRunner) work(ctx context.Context) {
	last := ""
	for ctx.Err() == nil {
		job, next, err := r.request(ctx, last)
		last = next
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, errRemoved):
			r.Logf("runner: %v", err)
			return
		case err != nil:
			r.Logf("runner: %v", err)
			_ = r.pause(ctx) // the loop ends then
		case job != nil:
			r.ended <- r.run(ctx, *job)
		}
	}
}

// pause waits before something is tried again.
func (r *shellRunner) pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(r.interval):
		return nil
	}
}

// next returns the next job that has ended.
func (r *shellRunner) next() endedJob {
	r.Helper()
	select {
	case job := <-r.ended:
		return job
	case <-time.After(time.Minute):
		require.FailNow(r, "no job ended within a minute")
		return endedJob{}
	}
}
