// Package forgetest has fakes of other code hosts for tests, on the loopback: their API answers
// from lists of JSON, their git over HTTP by git itself, and both fail as a test says.
package forgetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Host is a fake of a host. Its fields are set before the first request.
type Host struct {
	URL    string
	Token  string            // that it accepts, in any form of authorization
	Lists  map[string][]any  // entries by path: /api/v3/repos/acme/site/labels
	Values map[string]any    // objects by path
	Files  map[string]File   // by path
	LFS    map[string]string // contents of Git LFS by oid
	// Fault is asked before each answer; nil: there are none.
	Fault func(r *http.Request) *Fault
	// Left returns what the rate limit leaves; nil: there is no limit.
	Left func() (left int, reset time.Time)
	// Pages answers with a page, in the way of the kind of host.
	Pages func(w http.ResponseWriter, r *http.Request, entries []any)

	backend http.Handler
	mu      sync.Mutex
	asked   []string
}

// Fault is an answer that a host gives instead of the right one.
type Fault struct {
	Status int
	Header map[string]string
	Body   string
	Half   bool // the right answer, without its second half
}

// New starts a host of the GitHub kind. The repositories of dir, such as acme/site.git, are served
// by git.
func New(t testing.TB, dir string) *Host {
	h := &Host{Token: "external-token", Lists: map[string][]any{}, Values: map[string]any{}, Pages: linkPages}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	h.backend = &cgi.Handler{Path: git, Args: []string{"http-backend"}, Stderr: io.Discard, Env: []string{
		"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + dir,
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		"GIT_CONFIG_KEY_1=uploadpack.hideRefs", "GIT_CONFIG_VALUE_1=refs/keep",
	}}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	h.URL = s.URL
	return h
}

// Asked returns the requests so far, as method, path and query, and forgets them.
func (h *Host) Asked() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

// Set changes the host while it serves.
func (h *Host) Set(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
}

// ServeHTTP implements http.Handler.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.asked = append(h.asked, r.Method+" "+r.URL.RequestURI())
	fault, left := h.Fault, h.Left
	h.mu.Unlock()
	if left != nil {
		n, reset := left()
		w.Header().Set("X-RateLimit-Limit", "5000")
		w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(n))
		w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
	}
	if fault != nil {
		if f := fault(r); f != nil {
			if f.Half {
				h.half(w, r)
				return
			}
			for name, value := range f.Header {
				w.Header().Set(name, value)
			}
			w.WriteHeader(f.Status)
			_, _ = io.WriteString(w, f.Body)
			return
		}
	}
	h.answer(w, r)
}

// half sends the first half of the right answer under the length of the whole.
func (h *Host) half(w http.ResponseWriter, r *http.Request) {
	whole := httptest.NewRecorder()
	h.answer(whole, r)
	body := whole.Body.Bytes()
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body[:len(body)/2])
}

func (h *Host) answer(w http.ResponseWriter, r *http.Request) {
	_, password, _ := r.BasicAuth()
	bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	isGit := strings.Contains(r.URL.Path, ".git/")
	switch {
	case password != h.Token && bearer != h.Token:
		w.Header().Set("WWW-Authenticate", `Basic realm="fake"`)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"message":"Bad credentials","errors":[{"message":"Authentication failed."}]}`)
		return
	case h.file(w, r):
		return
	case isGit:
		h.backend.ServeHTTP(w, r)
		return
	}
	h.mu.Lock()
	entries, isList := h.Lists[r.URL.Path]
	value, isValue := h.Values[r.URL.Path]
	h.mu.Unlock()
	switch {
	case isList:
		h.Pages(w, r, entries)
	case isValue:
		WriteJSON(w, value)
	default:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message":"Not Found","errors":[{"message":"There is no such thing."}]}`)
	}
}

// WriteJSON answers with a value.
func WriteJSON(w http.ResponseWriter, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
}

// linkPages answers with a page and the header Link.
func linkPages(w http.ResponseWriter, r *http.Request, entries []any) {
	query := r.URL.Query()
	page, _ := strconv.Atoi(query.Get("page"))
	size, _ := strconv.Atoi(query.Get("per_page"))
	page, size = max(page, 1), max(size, 1)
	from := min((page-1)*size, len(entries))
	to := min(from+size, len(entries))
	if to < len(entries) {
		query.Set("page", strconv.Itoa(page+1))
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?%s>; rel="next", <http://%s/last>; rel="last"`,
			r.Host, r.URL.Path, query.Encode(), r.Host))
	}
	WriteJSON(w, append([]any{}, entries[from:to]...))
}

// StartPages is the way of paging of the Bitbucket Server kind: start, limit and nextPageStart.
func StartPages(w http.ResponseWriter, r *http.Request, entries []any) {
	start, _ := strconv.Atoi(r.URL.Query().Get("start"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	from := min(max(start, 0), len(entries))
	to := min(from+max(limit, 1), len(entries))
	answer := map[string]any{
		"size": to - from, "limit": limit, "start": start, "isLastPage": to == len(entries),
		"values": append([]any{}, entries[from:to]...), "nextPageStart": nil,
	}
	if to < len(entries) {
		answer["nextPageStart"] = to
	}
	WriteJSON(w, answer)
}
