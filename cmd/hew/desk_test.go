package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// desk is a host with the notes of one merge request, acme/infra!12.
type desk struct {
	t  *testing.T
	mu sync.Mutex

	notes  []note
	last   int64
	log    []string // the writes
	status int      // of every answer, if set
	lose   int      // how many answers to a creation are lost
	meet   *sync.WaitGroup
	gone   int64 // a note that is deleted just before it is changed
}

const me = 7

func newDesk(t *testing.T) (*desk, string) {
	d := &desk{t: t}
	d.add(1, "LGTM")
	d.add(1, "Look at\n<!-- hew plan 0 -->")
	return d, receiver(t, d.ServeHTTP).URL
}

func (d *desk) add(author int64, body string) *note {
	d.last++
	n := note{ID: d.last, Body: body}
	n.Author.ID = author
	d.notes = append(d.notes, n)
	return &d.notes[len(d.notes)-1]
}

// mine are the notes of hew.
func (d *desk) mine() (all []note) {
	for _, n := range d.notes {
		if n.Author.ID == me {
			all = append(all, n)
		}
	}
	return all
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && d.meet != nil { // all look before any writes
		d.meet.Done()
		d.meet.Wait()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	require.Equal(d.t, passkey, r.Header.Get("PRIVATE-TOKEN"))
	if d.status != 0 {
		w.WriteHeader(d.status)
		return
	}
	path := strings.TrimPrefix(r.URL.EscapedPath(), "/api/v4/")
	if r.Method == http.MethodGet && path == "user" {
		fmt.Fprintf(w, `{"id": %d}`, me)
		return
	}
	rest, under := strings.CutPrefix(path, "projects/acme%2Finfra/merge_requests/12/notes")
	if !under {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	id, _ := strconv.ParseInt(strings.TrimPrefix(rest, "/"), 10, 64)
	at := slices.IndexFunc(d.notes, func(n note) bool { return n.ID == id })
	var body struct{ Body string }
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		require.NoError(d.t, json.NewDecoder(r.Body).Decode(&body))
		require.LessOrEqual(d.t, len(body.Body), defaultBudget)
	}
	stored := strings.ReplaceAll(strings.TrimSpace(body.Body), "\n", "\r\n") // as hosts do
	switch r.Method {
	case http.MethodGet:
		d.list(w, r)
		return
	case http.MethodPost:
		n := d.add(me, stored)
		d.log = append(d.log, fmt.Sprint("POST ", n.ID))
		if d.lose--; d.lose >= 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusCreated)
		require.NoError(d.t, json.NewEncoder(w).Encode(n))
		return
	case http.MethodPut:
		if id == d.gone {
			d.notes, d.gone, at = slices.Delete(d.notes, at, at+1), 0, -1
		}
		if at >= 0 {
			d.notes[at].Body = stored
		}
	case http.MethodDelete:
		if at >= 0 {
			require.EqualValues(d.t, me, d.notes[at].Author.ID)
			d.notes = slices.Delete(d.notes, at, at+1)
		}
	}
	if at < 0 {
		w.WriteHeader(http.StatusNotFound)
	}
	d.log = append(d.log, fmt.Sprint(r.Method, " ", id))
	fmt.Fprint(w, "{}")
}

// list answers a page, of which there are several.
func (d *desk) list(w http.ResponseWriter, r *http.Request) {
	require.Equal(d.t, "asc", r.URL.Query().Get("sort"))
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	page = max(page, 1)
	from, to := min((page-1)*size, len(d.notes)), min(page*size, len(d.notes))
	if to < len(d.notes) {
		w.Header().Set("X-Next-Page", strconv.Itoa(page+1))
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?sort=asc&per_page=%d&page=%d>; rel="next"`, r.Host, r.URL.Path, size, page+1))
	}
	require.NoError(d.t, json.NewEncoder(w).Encode(d.notes[from:to]))
}
