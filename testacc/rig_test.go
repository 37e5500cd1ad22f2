package testacc

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hew/server/servertest"
)

// rig is hew before a host that is far away: a proxy counts the requests, and each of them takes its time on top of the
// server's, however many are on their way.
type rig struct {
	server        *servertest.Server
	front         *httptest.Server
	far           atomic.Bool
	reads, writes atomic.Int64
}

// distance is what a request takes to a host that is far away and back.
const distance = 50 * time.Millisecond

func newRig(b *testing.B) *rig {
	r := &rig{server: servertest.Fresh(b)}
	target, err := url.Parse(strings.TrimSuffix(r.server.URL, prefix))
	if err != nil {
		b.Fatal(err)
	}
	pass := &httputil.ReverseProxy{
		Rewrite:   func(p *httputil.ProxyRequest) { p.SetURL(target) },
		Transport: &http.Transport{MaxIdleConnsPerHost: 256},
	}
	r.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method == http.MethodGet {
			r.reads.Add(1)
		} else {
			r.writes.Add(1)
		}
		if r.far.Load() {
			time.Sleep(distance) // the thing itself, not a wait for something
		}
		pass.ServeHTTP(w, q)
	}))
	b.Cleanup(r.front.Close)
	return r
}

// run is what one hew took.
type run struct {
	seconds       float64
	cpu           time.Duration
	mib           float64 // at its peak
	reads, writes int
	said          string
}

func (u run) requests() int { return u.reads + u.writes }

// hew runs hew in a directory, to a good end.
func (r *rig) hew(b *testing.B, dir string, args ...string) run {
	b.Helper()
	r.reads.Store(0)
	r.writes.Store(0)
	var said bytes.Buffer
	cmd := exec.Command(filepath.Join(bin, "hew"), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	cmd.Env = append(os.Environ(), "HEW_URL="+r.front.URL, "HEW_TOKEN="+r.server.RootToken)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	done, peak := make(chan struct{}), make(chan float64)
	go func() { peak <- watch(cmd.Process.Pid, done) }()
	err := cmd.Wait()
	u := run{seconds: time.Since(began).Seconds()}
	close(done)
	u.mib = <-peak
	if err != nil {
		b.Fatalf("hew %s: %v\n%s", strings.Join(args, " "), err, tail(said.String()))
	}
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.reads, u.writes, u.said = int(r.reads.Load()), int(r.writes.Load()), said.String()
	return u
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// watch returns the peak memory of a process in MiB, as the kernel keeps it: what grows in the last moments may
// be missed. The maximum that rusage names is no use: it begins with the memory of the process that forked.
func watch(pid int, done <-chan struct{}) (mib float64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return mib
		case <-tick.C:
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // none is left at the end
		if found := highWater.FindSubmatch(status); found != nil {
			kib, _ := strconv.ParseFloat(string(found[1]), 64)
			mib = kib / 1024
		}
	}
}
