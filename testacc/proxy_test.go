package testacc

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hew/server/servertest"
)

// proxy stands between one hew and the server: it notes what passes, makes go wrong what a story
// says, and the way long or the host sparing where a benchmark does.
type proxy struct {
	*httptest.Server
	target    *url.URL
	transport *http.Transport
	// the time.Duration that every request takes on top of the server's, however many are on their
	// way
	distance atomic.Int64
	limit    limit
	weather  *weather    // what goes wrong by chance
	recalls  atomic.Bool // reads are answered as the server answered them since this was set
	recalled sync.Map    // *answer by request URI

	mu     sync.Mutex
	faults []*fault
	kill   *kill
	log    []request
}

// request is one that passed, without the API's prefix.
type request struct {
	Method, Path string // as escaped by the client
	Query        string
	Body         []byte
	Status       int // 0 = unanswered
}

// String is the request on one line: what was sent, what for, and what came of it.
func (r request) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %d %s", r.Method, r.target(), r.Status, r.Body))
}

// target is what the request asks for: the path with its query.
func (r request) target() string {
	if r.Query == "" {
		return r.Path
	}
	return r.Path + "?" + r.Query
}

func (r request) writes() bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// kill ends hew at its nth write: when that arrives, or when the server is done with it.
type kill struct {
	n      int // writes until then
	after  bool
	signal func()
	mark   int // the request whose answer is the signal, in the log; 0 = none
}

// prefix is where the API begins; a host may have it below a path of its own.
const prefix = "/api/v4"

func afterPrefix(path string) string {
	_, rest, _ := strings.Cut(path, prefix)
	return rest
}

// newProxy serves one hew until its test ends.
func newProxy(t testing.TB, server *servertest.Server) *proxy {
	target, err := url.Parse(strings.TrimSuffix(server.URL, prefix))
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{target: target, transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	p.Server = httptest.NewServer(p)
	t.Cleanup(func() {
		p.Close()
		p.transport.CloseIdleConnections()
	})
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	asked := request{Method: r.Method, Path: afterPrefix(r.URL.EscapedPath()), Query: r.URL.RawQuery, Body: body}
	f, dead, n := p.begin(asked)
	f.wait(r.Context())
	time.Sleep(time.Duration(p.distance.Load()) + f.late) // the thing itself, not a wait for something
	if !p.limit.take(w.Header()) {
		f.status = http.StatusTooManyRequests
	}
	if dead || f.cut {
		panic(http.ErrAbortHandler)
	}
	if f.status != 0 && !f.lose {
		p.end(n, f.status)
		f.answer(w, body)
		return
	}
	a, err := p.forward(r, body, f.lags)
	if err != nil || p.end(n, a.status) || f.lose && f.status == 0 {
		panic(http.ErrAbortHandler)
	}
	if f.lose {
		f.answer(w, body)
		return
	}
	for name, values := range a.header {
		if !slices.ContainsFunc(f.strip, func(s string) bool { return strings.EqualFold(s, name) }) {
			for _, v := range values {
				w.Header().Add(name, strings.ReplaceAll(v, p.target.String(), p.URL)) // links lead through here as well
			}
		}
	}
	text := a.text
	if f.torn {
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		text = text[:len(text)/2]
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(text)
	if f.torn {
		panic(http.ErrAbortHandler)
	}
}

// begin notes a request and finds what goes wrong with it. It tells whether hew has been killed
// over it, and its place in the log.
func (p *proxy) begin(r request) (f fault, dead bool, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, r)
	if p.weather != nil {
		f = p.weather.strike(r)
	}
	for _, one := range p.faults {
		if one.left != 0 && one.fits(r) {
			one.left--
			f = *one
			break
		}
	}
	k := p.kill
	if k == nil || !r.writes() {
		return f, false, len(p.log)
	}
	switch k.n--; {
	case k.n == 0 && k.after:
		k.mark = len(p.log)
	case k.n == 0:
		k.signal()
		return f, true, len(p.log)
	}
	return f, k.n < 0 && !k.after, len(p.log)
}

// end notes an answer. It tells whether hew has been killed over it.
func (p *proxy) end(n, status int) (dead bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n > len(p.log) { // of a run that is over
		return true
	}
	p.log[n-1].Status = status
	if k := p.kill; k != nil && k.mark == n {
		k.signal()
		return true
	}
	return false
}

// reset begins a run of hew: its requests are noted from the first, and k is how it dies, if it
// shall.
func (p *proxy) reset(k *kill) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log, p.kill = nil, k
}

// requests are those of the last run.
func (p *proxy) requests() []request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.log)
}

func (p *proxy) arm(f ...*fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, f...)
}

func (p *proxy) mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
}
