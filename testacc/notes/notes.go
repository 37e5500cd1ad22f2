// Package notes is a host with the notes of merge requests, for tests on either side of the built
// hew: it answers as hosts do, goes wrong where it is told to, and remembers what it was asked.
package notes

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// The accounts of a host: the token is the bot's.
const (
	Person = 1
	Bot    = 7
)

// Note is one of a merge request.
type Note struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	System bool   `json:"system"`
	Author struct {
		ID int64 `json:"id"`
	} `json:"author"`
}

// Host has the notes of the merge requests of one project, with whatever number. Its fields and
// methods may be used while it is asked, but for Routes.
type Host struct {
	URL, Token string
	Routes     *http.ServeMux // what else it answers, below the same token

	t       testing.TB
	project string // its id or path, as it is asked for

	mu             sync.Mutex
	notes          map[string][]Note // by the number of the merge request
	last           int64
	asked, written []string
	meet           *sync.WaitGroup
	status, lost   int
	vanishing      int64
}

// New starts a host that takes one token. It ends with the test.
func New(t testing.TB, token, project string) *Host {
	h := &Host{Token: token, Routes: http.NewServeMux(), t: t, project: project, notes: map[string][]Note{}}
	const at = "/api/v4/projects/{project}/merge_requests/{iid}/notes"
	h.Routes.HandleFunc("GET /api/v4/user",
		func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"id": %d}`, Bot) })
	h.Routes.HandleFunc("GET "+at, h.list)
	h.Routes.HandleFunc("POST "+at, h.create)
	h.Routes.HandleFunc("PUT "+at+"/{id}", h.change)
	h.Routes.HandleFunc("DELETE "+at+"/{id}", h.remove)
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	h.URL = s.URL
	return h
}

// Add has somebody write a note, and returns its id.
func (h *Host) Add(iid, author int64, body string) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.add(fmt.Sprint(iid), author, body, false).ID
}

// AddSystem has the host note something itself, in the name of the bot.
func (h *Host) AddSystem(iid int64, body string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.add(fmt.Sprint(iid), Bot, body, true)
}

// add keeps a text as hosts do: with other ends of lines, and nothing around it.
func (h *Host) add(iid string, author int64, body string, system bool) Note {
	h.last++
	n := Note{ID: h.last, Body: stored(body), System: system}
	n.Author.ID = author
	h.notes[iid] = append(h.notes[iid], n)
	return n
}

func stored(body string) string {
	return strings.ReplaceAll(strings.TrimSpace(body), "\n", "\r\n")
}

// On are the notes on a merge request, the oldest first, of one account or, for 0, of all.
func (h *Host) On(iid, author int64) (all []Note) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, n := range h.notes[fmt.Sprint(iid)] {
		if author == 0 || n.Author.ID == author {
			all = append(all, n)
		}
	}
	return all
}

// Asked are all requests so far: GET /api/v4/user.
func (h *Host) Asked() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.asked...)
}

// Written are the writes since this was asked last, in one line: POST 3; DELETE 4.
func (h *Host) Written() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer func() { h.written = nil }()
	return strings.Join(h.written, "; ")
}

// Meet has the next creations wait until there are n of them: all have looked by then, and none has
// written.
func (h *Host) Meet(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.meet = new(sync.WaitGroup)
	h.meet.Add(n)
}

// Fail has every answer be a status from here on, 0 for none.
func (h *Host) Fail(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// Lose loses the next answer to a creation.
func (h *Host) Lose() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lost++
}

// Vanish deletes a note just before it is changed.
func (h *Host) Vanish(id int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.vanishing = id
}
