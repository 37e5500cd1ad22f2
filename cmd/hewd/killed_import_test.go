package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/forge/forgetest"
	"hew/server/servertest"
)

// TestKilledImport kills hewd while it imports three projects from another host at once, which
// limits it and has faults. Each import goes on where it was, and stores everything once; one that
// was canceled stays so.
func TestKilledImport(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(*killSeed, 1))
	url := servertest.URL(t)
	p := newProcess(t, map[string]string{
		"HEWD_DATABASE_URL": url, "HEWD_SECRET_KEY": "a secret key that is long enough",
	})
	p.start()
	t.Cleanup(func() { p.kill() })
	g := &target{site: p, t: t}
	require.Equal(t, 200, g.request("PUT", "/application/settings", map[string]any{
		"allow_local_requests_from_web_hooks_and_services": true, "import_sources": []string{"github"},
	}, nil))
	require.Equal(t, 201, g.request("POST", "/groups", map[string]any{"name": "acme", "path": "acme"}, nil))

	steps := make(chan struct{}, 1)
	hosts := make([]*forgetest.GitHub, 4)
	ids := make([]int64, len(hosts))
	for n := range hosts {
		hosts[n] = faultyHost(t, steps)
		var made struct{ ID int64 }
		require.Equal(t, 201, g.request("POST", "/import/forge", map[string]any{
			"personal_access_token": hosts[n].Token, "repo_id": 42, "target_namespace": "acme",
			"forge_hostname": hosts[n].URL, "new_name": fmt.Sprint("site-", n), "pagination_limit": 2,
			"optional_stages": map[string]any{"attachments_import": true},
		}, &made))
		ids[n] = made.ID
	}
	require.Equal(t, 200, g.request("POST", "/import/forge/cancel", map[string]any{"project_id": ids[3]}, nil))
	for range min(*kills, 2) { // one more may end an import (project.MaxImportAttempts)
		over := time.After(5 * time.Second) // all are, or wait for their hosts
		for n, idle := 1+random.IntN(30), false; n > 0 && !idle; n-- {
			select {
			case <-steps:
			case <-over:
				idle = true
			}
		}
		p.kill()
		p.start()
	}
	for n, id := range ids[:3] {
		var shown struct {
			Status string `json:"import_status"`
			Error  string `json:"import_error"`
		}
		require.Eventually(t, func() bool {
			g.request("GET", fmt.Sprintf("/projects/%d/import", id), nil, &shown)
			return shown.Status == "finished" || shown.Status == "failed"
		}, 10*time.Minute, 200*time.Millisecond)
		require.Equal(t, "finished", shown.Status, shown.Error)
		for path, want := range map[string]int{
			"labels": 5, "milestones": 5, "issues?state=all": 5, "merge_requests?state=all": 3,
			"issues/11/notes": 5, "releases": 4, "uploads": 1,
		} {
			var list []struct{}
			require.Equal(t, 200, g.request("GET", fmt.Sprintf("/projects/%d/%s", id, path), nil, &list))
			require.Len(t, list, want, "%s of %d", path, n)
		}
	}
	var shown struct {
		Status string `json:"import_status"`
	}
	require.Equal(t, 200, g.request("GET", fmt.Sprintf("/projects/%d/import", ids[3]), nil, &shown))
	require.Equal(t, "canceled", shown.Status)
}

// faultyHost returns a host that answers some first requests with a limit, an error or half of the
// answer. One of its issues links to a file. It sends to steps as it is asked.
func faultyHost(t *testing.T, steps chan<- struct{}) *forgetest.GitHub {
	h := forgetest.NewGitHub(t)
	const file = "/user-attachments/assets/12-34"
	h.Files = map[string]forgetest.File{file: {Type: "text/plain", Content: "log"}}
	h.Lists["/api/v3/repos/acme/site/issues"][0].(map[string]any)["body"] = "See " + h.URL + file
	var lock sync.Mutex
	seen := map[string]bool{}
	h.Fault = func(r *http.Request) *forgetest.Fault {
		select {
		case steps <- struct{}{}:
		default:
		}
		lock.Lock()
		defer lock.Unlock()
		at := r.URL.RequestURI()
		if seen[at] || strings.Contains(at, ".git") || strings.Contains(at, "/repositories/") {
			return nil
		}
		seen[at] = true
		switch len(seen) {
		case 3:
			return &forgetest.Fault{Status: 429, Header: map[string]string{"Retry-After": "1"}}
		case 6:
			return &forgetest.Fault{Status: 502}
		case 9:
			return &forgetest.Fault{Half: true}
		}
		return nil
	}
	return h
}
