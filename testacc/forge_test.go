package testacc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"hew/testacc/notes"
)

// forge is the host of a repository, as far as hew and pipelines ask it: notes on merge requests,
// which of these brought a commit, and what their jobs kept. hewd has none of it yet. It is another
// host than the one that hew manages, and takes another token.
type forge struct {
	*notes.Host

	mu     sync.Mutex
	merged map[string]int    // which merge request brought a commit
	kept   map[string][]byte // by number and file
}

func newForge(t testing.TB) *forge {
	f := &forge{
		Host: notes.New(t, "glpat-of-the-forge-alone", "5"), merged: map[string]int{}, kept: map[string][]byte{},
	}
	f.Routes.HandleFunc("GET /api/v4/projects/5/repository/commits/{sha}/merge_requests", f.requestsOf)
	f.Routes.HandleFunc("GET /api/v4/projects/5/jobs/artifacts/refs/merge-requests/{iid}/head/raw/{file}", f.artifact)
	return f
}

// said are the notes of hew on a merge request.
func (f *forge) said(iid int64) (all []string) {
	for _, n := range f.On(iid, notes.Bot) {
		all = append(all, n.Body)
	}
	return all
}

// merge has a merge request bring a commit.
func (f *forge) merge(commit string, iid int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.merged[commit] = iid
}

// requestsOf tells of an open merge request with the commit, too.
func (f *forge) requestsOf(w http.ResponseWriter, r *http.Request) {
	all := []map[string]any{{"iid": 99, "state": "opened", "target_branch": "main"}}
	f.mu.Lock()
	defer f.mu.Unlock()
	if iid := f.merged[r.PathValue("sha")]; iid != 0 {
		all = append(all, map[string]any{"iid": iid, "state": "merged", "target_branch": "main"})
	}
	_ = json.NewEncoder(w).Encode(all)
}

func (f *forge) artifact(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
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
