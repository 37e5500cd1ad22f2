package testacc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// fault is one thing that goes wrong with the requests that it fits. The zero value harms nothing.
type fault struct {
	method, path string
	status       int // answered in the server's place, or, with lose, after it
	body         string
	quotes       bool // in that answer, what was sent
	cut, lose    bool
	torn         bool          // half of the answer arrives
	late         time.Duration // how long it takes
	lags         bool          // reads see nothing of it for a while
	strip        []string
	header       http.Header
	left         int // requests it is still good for; below 0 = all
	held, freed  chan struct{}
}

// newFault reads METHOD PATH DO..., as the package comment describes it.
func newFault(args []string) (*fault, error) {
	if len(args) < 3 {
		return nil, fmt.Errorf("fault METHOD PATH DO..., not %q", args)
	}
	f := &fault{method: args[0], path: args[1], left: -1, header: http.Header{}}
	for _, do := range args[2:] {
		name, value, _ := strings.Cut(do, "=")
		switch status, err := strconv.Atoi(do); {
		case err == nil:
			f.status = status
		case name == "cut":
			f.cut = true
		case name == "lose":
			f.lose = true
		case name == "hold":
			f.held, f.freed = make(chan struct{}), make(chan struct{})
		case name == "strip":
			f.strip = strings.Split(value, ",")
		case name == "header":
			key, text, _ := strings.Cut(value, ":")
			f.header.Set(key, text)
		case name == "times":
			if f.left, err = strconv.Atoi(value); err != nil {
				return nil, err
			}
		case f.status != 0 && f.body == "":
			f.body = do
		default:
			return nil, fmt.Errorf("no such fault: %s", do)
		}
	}
	return f, nil
}

func (f *fault) fits(r request) bool {
	want, got := strings.Split(f.path, "/"), strings.Split(r.Path, "/")
	if f.method != "*" && f.method != r.Method || len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != "*" && want[i] != got[i] {
			return false
		}
	}
	return true
}

// answer is what hew gets in the server's place.
func (f *fault) answer(w http.ResponseWriter, sent []byte) {
	for name, values := range f.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.status)
	body := f.body
	if f.quotes {
		quoted, _ := json.Marshal(map[string]string{"message": "no good: " + string(sent)}) // a text never fails
		body = string(quoted)
	}
	if body == "" {
		body = fmt.Sprintf(`{"message":"%d %s"}`, f.status, http.StatusText(f.status))
	}
	_, _ = io.WriteString(w, body)
}

// wait holds a request, if that is the fault, until the story frees it or hew gives it up.
func (f *fault) wait(ctx context.Context) {
	if f.held == nil {
		return
	}
	select {
	case f.held <- struct{}{}:
	case <-f.freed:
	case <-ctx.Done():
	}
	select {
	case <-f.freed:
	case <-ctx.Done():
	}
}

// fault makes something go wrong from here on.
func (s *story) fault(ts *testscript.TestScript, args []string) {
	f, err := newFault(args)
	ts.Check(err)
	f.path, f.body = os.Expand(f.path, ts.Getenv), os.Expand(f.body, ts.Getenv)
	s.proxy.arm(f)
}

// mend ends all faults.
func (s *story) mend(*testscript.TestScript, []string) { s.proxy.mend() }

// held waits until a request is held.
func (s *story) held(ts *testscript.TestScript, _ []string) {
	select {
	case <-s.holding(ts).held:
	case <-s.t.Context().Done():
		ts.Fatalf("nothing was held")
	}
}

// release lets the held requests go, and ends all faults.
func (s *story) release(ts *testscript.TestScript, _ []string) {
	close(s.holding(ts).freed)
	s.proxy.mend()
}

// holding is the fault that holds requests.
func (s *story) holding(ts *testscript.TestScript) *fault {
	s.proxy.mu.Lock()
	defer s.proxy.mu.Unlock()
	i := slices.IndexFunc(s.proxy.faults, func(f *fault) bool { return f.held != nil })
	if i < 0 {
		ts.Fatalf("no fault holds requests")
	}
	return s.proxy.faults[i]
}

// requests prints what the last hew asked for.
func (s *story) requests(ts *testscript.TestScript, args []string) {
	for _, r := range s.proxy.requests() {
		if len(args) == 0 || args[0] == r.Method {
			fmt.Fprintln(ts.Stdout(), r)
		}
	}
}
