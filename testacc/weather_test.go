package testacc

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"sync"
	"time"
)

// weather makes things go wrong by chance, between hew and a host that is overloaded, is being
// deployed, and reads from replicas. What befalls a request follows from the seed, the request, and
// how often it was made before: not from the order in which others pass, so that a seed brings much
// the same weather every time.
type weather struct {
	seed  uint64
	rough float64 // how much of what passes is hit

	mu        sync.Mutex
	bad       bool
	seen, hit int            // requests in bad weather
	tries     map[string]int // by method and path
	stale     map[string]lag // by path: what a replica still says
}

// lag is an answer from before a write, which reads get until the replica has caught up.
type lag struct {
	*answer
	left int // requests, of whatever sort
}

// caughtUp is how many requests a replica lags behind at most.
const caughtUp = 12

// newWeather is mild or rough, as the seed has it.
func newWeather(seed uint64) *weather {
	w := &weather{seed: seed, tries: map[string]int{}, stale: map[string]lag{}}
	w.rough = 0.02 + 0.25*w.dice("", 0).Float64()
	return w
}

// set begins or ends the bad weather. Until it begins again replicas have caught up.
func (w *weather) set(bad bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bad = bad
	clear(w.stale)
}

func (w *weather) dice(what string, try int) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(what))
	return rand.New(rand.NewPCG(w.seed, h.Sum64()+uint64(try)))
}

// strike is what befalls a request, if anything does.
func (w *weather) strike(r request) fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.bad {
		return fault{}
	}
	w.seen++
	f, hit := w.fate(r)
	if hit {
		w.hit++
	}
	return f
}

func (w *weather) fate(r request) (f fault, hit bool) {
	for at, l := range w.stale {
		if l.left--; l.left < 0 {
			delete(w.stale, at)
		} else {
			w.stale[at] = l
		}
	}
	what := r.Method + " " + r.Path
	w.tries[what]++
	// Some things cannot be had for as long as hew has patience, and some more.
	if bad := w.dice("outage "+what, 0); bad.Float64() < w.rough/10 && w.tries[what] <= 4+bad.IntN(6) {
		return unavailable, true
	}
	dice := w.dice(what, w.tries[what])
	if dice.Float64() > w.rough {
		return fault{}, false
	}
	if r.writes() {
		return writeFaults[dice.IntN(len(writeFaults))], true
	}
	return readFaults[dice.IntN(len(readFaults))], true
}

var (
	unavailable = fault{status: http.StatusServiceUnavailable, header: http.Header{"Retry-After": {"0"}}}

	// faultsOfAll befall whatever passes.
	faultsOfAll = []fault{
		unavailable,
		{status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {"0"}}},
		{status: http.StatusTooManyRequests,
			header: http.Header{"Ratelimit-Remaining": {"0"}, "Ratelimit-Reset": {"0"}}},
		{status: http.StatusTooManyRequests, body: "Retry later"},
		{status: http.StatusInternalServerError},
		{status: http.StatusBadGateway, body: "<html>bad gateway</html>"},
		{cut: true},
		{lose: true},
		{torn: true},
		{late: 30 * time.Millisecond},
	}
	readFaults = append([]fault{{strip: []string{"X-Total", "X-Total-Pages"}}}, faultsOfAll...)
	// writeFaults are of the worse sort: it is done, and hew is told otherwise, or cannot see it.
	writeFaults = append([]fault{
		{lose: true, status: http.StatusInternalServerError},
		{lose: true, status: http.StatusBadGateway, body: "<html>bad gateway</html>"},
		{lose: true, lags: true},
		{lose: true, lags: true, status: http.StatusGatewayTimeout},
		{lags: true},
		{torn: true, lags: true},
	}, faultsOfAll...)
)

// remember keeps what there is before a write, of the thing and of the collection that it is in, as
// read does.
func (w *weather) remember(at string, read func(string) (*answer, error)) {
	for _, at := range []string{at, path.Dir(at)} {
		if a, err := read(at); err == nil && a.status != http.StatusMethodNotAllowed {
			w.lag(at, a)
		}
	}
}

func (w *weather) lag(at string, a *answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.bad {
		return // of a run that is over
	}
	w.stale[at] = lag{a, 1 + w.dice(at, 0).IntN(caughtUp)}
}

// hide keeps that something was not there before it was made below a path, neither by its id nor by
// its own path.
func (w *weather) hide(at string, made *answer) {
	var it struct {
		ID       int64
		FullPath string `json:"full_path"`
		Project  string `json:"path_with_namespace"`
	}
	if made.status != http.StatusCreated || json.Unmarshal(made.text, &it) != nil {
		return
	}
	for _, key := range []string{strconv.FormatInt(it.ID, 10), url.PathEscape(it.FullPath),
		url.PathEscape(it.Project)} {
		if key != "" {
			w.lag(at+"/"+key, &answer{http.StatusNotFound, http.Header{"Content-Type": {"application/json"}},
				[]byte(`{"message":"404 Not found"}`)})
		}
	}
}

// replica is what a replica answers to a read, nil where it has caught up. A second page it leaves
// to the primary.
func (w *weather) replica(r *http.Request, at string) *answer {
	if r.Method != http.MethodGet || r.URL.Query().Get("page") > "1" {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stale[at].answer
}
