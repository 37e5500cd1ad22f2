package testacc

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hew/server/servertest"
)

// rig is hew before a host of its own, which may be far away, and sparing with what it grants.
type rig struct {
	server *servertest.Server
	proxy  *proxy
}

func newRig(t testing.TB) *rig {
	server := servertest.Fresh(t)
	return &rig{server, newProxy(t, server)}
}

// move puts the host somewhere else: what a request takes there and back.
func (r *rig) move(distance time.Duration) { r.proxy.distance.Store(int64(distance)) }

// limit is how many requests a host grants in a minute; it says with every answer how many are left
// (gaps §1.6).
type limit struct {
	mu         sync.Mutex
	most, used int // of this minute; none at most is all
	ends       time.Time
}

func (l *limit) set(most int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most, l.ends = most, time.Time{}
}

// take tells whether a request is granted, and the client how things are.
func (l *limit) take(h http.Header) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.most == 0 {
		return true
	}
	if now := time.Now(); now.After(l.ends) {
		l.used, l.ends = 0, now.Add(time.Minute)
	}
	l.used++
	h.Set("RateLimit-Limit", strconv.Itoa(l.most))
	h.Set("RateLimit-Remaining", strconv.Itoa(max(l.most-l.used, 0)))
	h.Set("RateLimit-Reset", strconv.FormatInt(l.ends.Unix(), 10))
	return l.used <= l.most
}

// run is what one hew took.
type run struct {
	distance time.Duration // of the host
	seconds  float64
	cpu      time.Duration
	mib      float64 // at its peak
	asked    []request
	said     string
}

// writes is how many of the requests were no reads.
func (u run) writes() (n int) {
	for _, r := range u.asked {
		if r.writes() {
			n++
		}
	}
	return n
}

// hew runs hew in a directory, to a good end.
func (r *rig) hew(t testing.TB, dir string, args ...string) run {
	t.Helper()
	r.proxy.reset(nil)
	var said bytes.Buffer
	cmd := exec.Command(filepath.Join(bin, "hew"), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	cmd.Env = append(os.Environ(), "HEW_URL="+r.proxy.URL, "HEW_TOKEN="+r.server.RootToken)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done, peak := make(chan struct{}), make(chan float64)
	go func() { peak <- watch(cmd.Process.Pid, done) }()
	err := cmd.Wait()
	u := run{distance: time.Duration(r.proxy.distance.Load()), seconds: time.Since(began).Seconds()}
	close(done)
	u.mib = <-peak
	if err != nil {
		t.Fatalf("hew %s: %v\n%s", strings.Join(args, " "), err, tail(said.String()))
	}
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.asked, u.said = r.proxy.requests(), said.String()
	return u
}

// unchanged plans what is there already, several times, and takes the best of it. The plan writes
// nothing.
func (r *rig) unchanged(t testing.TB, dir string, times int) (best run) {
	t.Helper()
	for i := range times {
		u := r.hew(t, dir, "plan", "-compact")
		if !strings.Contains(u.said, "No changes.") || u.writes() > 0 {
			t.Fatalf("the plan of an unchanged host sends %d writes and says:\n%s", u.writes(), tail(u.said))
		}
		best = best.least(u, i == 0)
	}
	return best
}

// least takes the least time and the most memory and requests of two runs.
func (u run) least(o run, first bool) run {
	if first {
		return o
	}
	o.seconds, o.cpu, o.mib = min(u.seconds, o.seconds), min(u.cpu, o.cpu), max(u.mib, o.mib)
	if len(u.asked) > len(o.asked) {
		o.asked = u.asked
	}
	return o
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// watch returns the peak memory of a process in MiB, as the kernel keeps it: what grows in the last
// moments may be missed. The maximum that rusage names is no use: it begins with the memory of the
// process that forked.
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
