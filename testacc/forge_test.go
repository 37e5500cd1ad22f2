package testacc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// forge is the host of a repository, as far as hew and pipelines ask it: notes on merge requests, which of these brought a
// commit, and what their jobs kept. hewd has none of it yet. It is another host than the one that hew manages, and takes
// another token.
type forge struct {
	*httptest.Server
	token string

	mu     sync.Mutex
	notes  map[int][]forgeNote // by the number of the merge request
	last   int
	merged map[string]int    // which brought a commit
	kept   map[string][]byte // by number and file
	asked  []string
	meet   *sync.WaitGroup // creations wait for one another
}

type forgeNote struct {
	ID     int    `json:"id"`
	Body   string `json:"body"`
	Author struct {
		ID int `json:"id"`
	} `json:"author"`
}

// The accounts on a forge.
const (
	forgeBot    = 70
	forgePerson = 3
)

func newForge(t testing.TB) *forge {
	f := &forge{token: "glpat-of-the-forge-alone", notes: map[int][]forgeNote{}, merged: map[string]int{}, kept: map[string][]byte{}}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /api/v4/user", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"id": %d}`, forgeBot) })
	routes.HandleFunc("GET /api/v4/projects/5/merge_requests/{iid}/notes", f.list)
	routes.HandleFunc("POST /api/v4/projects/5/merge_requests/{iid}/notes", f.create)
	routes.HandleFunc("PUT /api/v4/projects/5/merge_requests/{iid}/notes/{id}", f.change)
	routes.HandleFunc("DELETE /api/v4/projects/5/merge_requests/{iid}/notes/{id}", f.remove)
	routes.HandleFunc("GET /api/v4/projects/5/repository/commits/{sha}/merge_requests", f.requestsOf)
	routes.HandleFunc("GET /api/v4/projects/5/jobs/artifacts/refs/merge-requests/{iid}/head/raw/{file}", f.artifact)
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("PRIVATE-TOKEN") != f.token && r.Header.Get("Authorization") != "Bearer "+f.token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if f.meet != nil && r.Method == http.MethodPost {
			f.meet.Done()
			f.meet.Wait()
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.asked = append(f.asked, r.Method+" "+r.URL.Path)
		routes.ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

// say adds a note of somebody.
func (f *forge) say(iid, author int, body string) forgeNote {
	f.last++
	n := forgeNote{ID: f.last, Body: body}
	n.Author.ID = author
	f.notes[iid] = append(f.notes[iid], n)
	return n
}

// said are the notes of hew on a merge request.
func (f *forge) said(iid int) (all []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range f.notes[iid] {
		if n.Author.ID == forgeBot {
			all = append(all, n.Body)
		}
	}
	return all
}

func pathNumber(r *http.Request, name string) int {
	n, _ := strconv.Atoi(r.PathValue(name)) // 0 is none
	return n
}

func (f *forge) list(w http.ResponseWriter, r *http.Request) {
	all := f.notes[pathNumber(r, "iid")]
	if all == nil {
		all = []forgeNote{}
	}
	_ = json.NewEncoder(w).Encode(all)
}

func bodyOf(r *http.Request) string {
	var in struct{ Body string }
	_ = json.NewDecoder(r.Body).Decode(&in) // what is none is empty
	return strings.TrimSpace(in.Body)
}

func (f *forge) create(w http.ResponseWriter, r *http.Request) {
	n := f.say(pathNumber(r, "iid"), forgeBot, bodyOf(r))
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(n)
}

// own finds a note that may be changed; nobody changes those of others.
func (f *forge) own(w http.ResponseWriter, r *http.Request) int {
	at := slices.IndexFunc(f.notes[pathNumber(r, "iid")], func(n forgeNote) bool { return n.ID == pathNumber(r, "id") })
	switch {
	case at < 0:
		w.WriteHeader(http.StatusNotFound)
	case f.notes[pathNumber(r, "iid")][at].Author.ID != forgeBot:
		w.WriteHeader(http.StatusForbidden)
		at = -1
	}
	return at
}

func (f *forge) change(w http.ResponseWriter, r *http.Request) {
	if at := f.own(w, r); at >= 0 {
		f.notes[pathNumber(r, "iid")][at].Body = bodyOf(r)
		fmt.Fprint(w, "{}")
	}
}

func (f *forge) remove(w http.ResponseWriter, r *http.Request) {
	if at := f.own(w, r); at >= 0 {
		iid := pathNumber(r, "iid")
		f.notes[iid] = slices.Delete(f.notes[iid], at, at+1)
		w.WriteHeader(http.StatusNoContent)
	}
}

// requestsOf tells of an open merge request with the commit, too.
func (f *forge) requestsOf(w http.ResponseWriter, r *http.Request) {
	all := []map[string]any{{"iid": 99, "state": "opened", "target_branch": "main"}}
	if iid := f.merged[r.PathValue("sha")]; iid != 0 {
		all = append(all, map[string]any{"iid": iid, "state": "merged", "target_branch": "main"})
	}
	_ = json.NewEncoder(w).Encode(all)
}

func (f *forge) artifact(w http.ResponseWriter, r *http.Request) {
	content, there := f.kept[r.PathValue("iid")+"/"+r.PathValue("file")]
	if !there || r.URL.Query().Get("job") != "plan" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = w.Write(content)
}

// keep takes what a job of a merge request leaves in a directory.
func (f *forge) keep(t testing.TB, iid int, dir string, files ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatalf("the job does not keep %s: %v", name, err)
		}
		f.kept[fmt.Sprint(iid)+"/"+name] = content
	}
}
