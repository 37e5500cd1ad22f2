package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
)

// fleet is two hewds on one database. Clients send each request to one that runs.
type fleet struct {
	t     testing.TB
	acks  chan struct{}
	procs [2]*process

	mu    sync.Mutex
	came  *sync.Cond
	urls  [2]string // "": it does not run
	ended bool
}

func newFleet(t testing.TB, env map[string]string) *fleet {
	f := &fleet{t: t, acks: make(chan struct{}, 1)}
	f.came = sync.NewCond(&f.mu)
	for n := range f.procs {
		f.procs[n] = newProcess(t, env)
		f.start(n)
	}
	t.Cleanup(func() {
		f.mu.Lock()
		f.ended = true
		f.came.Broadcast()
		f.mu.Unlock()
		f.kill(0, 1)
	})
	return f
}

func (f *fleet) start(n int) {
	f.t.Helper()
	f.procs[n].start()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.urls[n] = f.procs[n].url
	f.came.Broadcast()
}

// kill kills processes. New requests go to the others; those that are under way are lost.
func (f *fleet) kill(which ...int) {
	f.mu.Lock()
	for _, n := range which {
		f.urls[n] = ""
	}
	f.mu.Unlock()
	for _, n := range which {
		_ = f.procs[n].cmd.Process.Kill()
	}
	for _, n := range which {
		_ = f.procs[n].cmd.Wait()
	}
}

// base returns the address of a process that runs. It waits until there is one.
func (f *fleet) base() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		var up []string
		for _, url := range f.urls {
			if url != "" {
				up = append(up, url)
			}
		}
		switch {
		case len(up) > 0:
			return up[rand.IntN(len(up))]
		case f.ended:
			return "http://127.0.0.1:1"
		}
		f.came.Wait()
	}
}

// answer is what a runner gets. Its status is 0 if it got none, or not all of it.
type answer struct {
	status int
	header http.Header
	body   []byte
}

var plainClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// send sends a request of a runner. An answer of 5xx fails the test.
func (f *fleet) send(ctx context.Context, method, path string, header map[string]string, body []byte) answer {
	r, err := http.NewRequestWithContext(ctx, method, f.base()+"/api/v4"+path, bytes.NewReader(body))
	if err != nil {
		f.t.Error(err)
		return answer{}
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	reply, err := plainClient.Do(r)
	if err != nil {
		return answer{}
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return answer{}
	}
	if reply.StatusCode >= 500 {
		f.t.Errorf("%s %s: %d %s", method, path, reply.StatusCode, text)
	}
	return answer{reply.StatusCode, reply.Header, text}
}
