package forge_test

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/forge"
	"hew/server/forge/forgetest"
	"hew/server/outbound"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/tree"
)

// trial is an import of the fake host, which the test makes step by step: its clock is hours ahead,
// and until then the server's own jobs take the import for one that waits.
type trial struct {
	t     *testing.T
	s     *servertest.Server
	h     *forgetest.GitHub
	p     tree.Project
	clock time.Time
	do    forge.Importer
}

func newTrial(t *testing.T, o forge.Options) *trial {
	o.PageSize = 2
	return newTrialOf(t, o, forge.Source{})
}

// newTrialOf is newTrial with a source that has another base and clone URL, unless they are empty.
func newTrialOf(t *testing.T, o forge.Options, at forge.Source) *trial {
	tr := &trial{t: t, s: servertest.Fresh(t), h: forgetest.NewGitHub(t), clock: time.Now().Add(3 * time.Hour)}
	ctx := t.Context()
	require.NoError(t, setting.Set(ctx, tr.s.Store, "allow_local_requests_from_web_hooks_and_services", true))
	carol := tr.s.User(t, "carol")
	user, err := tree.FindUser(ctx, tr.s.Store, carol.ID)
	require.NoError(t, err)
	space, err := tree.Namespace(ctx, tr.s.Store, user.NamespaceID)
	require.NoError(t, err)
	tr.p, err = forge.Begin(ctx, tr.s.Store, forge.New{
		Source: forge.Source{
			Kind: forge.GitHub, Base: cmp.Or(at.Base, tr.h.URL+"/api/v3"), Token: tr.h.Token, RepositoryID: 42,
			FullName: "acme/site", CloneURL: cmp.Or(at.CloneURL, tr.h.URL+"/acme/site.git"), HasWiki: true,
		},
		Options: o, Name: "site", Path: "site", Space: space, By: user, After: time.Now().Add(2 * time.Hour),
	})
	require.NoError(t, err)
	tr.do = forge.Importer{
		Out: &outbound.Guard{}, Now: func() time.Time { return tr.clock },
		Pause: func(context.Context, time.Duration) error { return nil },
	}
	return tr
}

// finish makes attempts, each after what the host asks to wait, until the import is over.
func (tr *trial) finish(most int) (attempts int) {
	tr.t.Helper()
	for attempts = 1; attempts <= most; attempts++ {
		require.NoError(tr.t, tr.do.Attempt(tr.t.Context(), tr.s.Store, tr.p.ID))
		if s := tr.status(); s != "started" && s != "scheduled" {
			return attempts
		}
		tr.clock = tr.clock.Add(61 * time.Second)
	}
	tr.t.Fatalf("the import is not over after %d attempts", most)
	return attempts
}

func (tr *trial) status() string {
	tr.t.Helper()
	p, err := tree.FindProject(tr.t.Context(), tr.s.Store, tr.p.ID)
	require.NoError(tr.t, err)
	tr.p = p
	return p.ImportStatus
}

// counts returns how many rows the project has in tables, and how many are left of the import.
func (tr *trial) counts() map[string]int {
	tr.t.Helper()
	counts := map[string]int{}
	for table := range whole {
		n, err := db.Value[int](tr.t.Context(), tr.s.Store,
			`select count(*)::int from `+table+` where project_id = @id`, pgx.NamedArgs{"id": tr.p.ID})
		require.NoError(tr.t, err)
		counts[table] = n
	}
	return counts
}

// whole are the rows of an import of all that the fake has.
var whole = map[string]int{
	"labels": 5, "milestones": 5, "issues": 5, "merge_requests": 3, "notes": 14, "releases": 4,
	"project_imports": 0, "forge_imports": 0, "forge_documents": 0,
}

func (tr *trial) checkWhole() {
	tr.t.Helper()
	require.Equal(tr.t, "finished", tr.status(), "%v", tr.p.ImportError)
	require.Equal(tr.t, whole, tr.counts())
}

// A server that stops after each step of all goes on with the next one, and stores nothing twice.
func TestStoppedAfterEachStep(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	steps := 0
	for ; tr.status() != "finished"; steps++ {
		require.Less(t, steps, 200)
		ctx, stop := context.WithCancel(t.Context())
		err := tr.do.AfterStep(func(string) error { stop(); return ctx.Err() }).Attempt(ctx, tr.s.Store, tr.p.ID)
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		stop()
	}
	require.Greater(t, steps, 30)
	tr.checkWhole()
}

// A process that is killed has not said so: another one takes the import a minute later.
func TestKilled(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	killed, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		_ = tr.do.AfterStep(func(stage string) error {
			if stage == "store_issues" {
				close(killed)
				<-t.Context().Done() // it never comes back
			}
			return nil
		}).Attempt(context.WithoutCancel(t.Context()), tr.s.Store, tr.p.ID)
	}()
	<-killed
	require.NoError(t, tr.do.Attempt(t.Context(), tr.s.Store, tr.p.ID))
	require.Equal(t, "started", tr.status(), "the import belongs to the other process still")
	require.NoError(t, tr.s.Store.Exec(t.Context(), `
		update project_imports set alive_at = now() - interval '2 minutes' where project_id = @id`,
		pgx.NamedArgs{"id": tr.p.ID}))
	tr.finish(1)
	tr.checkWhole()
	t.Cleanup(func() { <-left })
}

func TestTwiceAtOnce(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			require.NoError(t, tr.do.Attempt(t.Context(), tr.s.Store, tr.p.ID))
		})
	}
	all.Wait()
	tr.checkWhole()
}

// Limits and faults of the host delay an import, and no worker waits for it.
func TestFaultyHost(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{SingleNotes: true})
	var lock sync.Mutex
	seen := map[string]int{}
	tr.h.Fault = func(r *http.Request) *forgetest.Fault {
		lock.Lock()
		defer lock.Unlock()
		at := r.URL.Path + r.URL.Query().Get("page")
		seen[at]++
		if strings.Contains(at, ".git") || seen[at] > 1 {
			return nil
		}
		switch len(seen) % 4 {
		case 0:
			return &forgetest.Fault{Status: 429, Header: map[string]string{"Retry-After": "30"}}
		case 1:
			return &forgetest.Fault{Status: 502}
		case 2:
			return &forgetest.Fault{Half: true}
		}
		return nil
	}
	const repo = "/api/v3/repos/acme/site"
	tr.h.Lists[repo+"/issues/11/comments"] = tr.h.Lists[repo+"/issues/comments"]
	tr.h.Lists[repo+"/pulls/1/comments"] = tr.h.Lists[repo+"/pulls/comments"]
	require.Greater(t, tr.finish(60), 5)
	tr.checkWhole()
}

func TestCancel(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	require.NoError(t, tr.do.AfterStep(func(stage string) error {
		if stage != "store_labels" {
			return nil
		}
		p, source, err := forge.Cancel(t.Context(), tr.s.Store, tr.p)
		require.Equal(t, []string{"canceled", "acme/site"}, []string{p.ImportStatus, source})
		return err
	}).Attempt(t.Context(), tr.s.Store, tr.p.ID))
	require.Equal(t, "canceled", tr.status())
	left := tr.counts()
	require.Equal(t, []int{5, 0, 0, 0},
		[]int{left["labels"], left["issues"], left["project_imports"], left["forge_documents"]})
	require.NoError(t, tr.do.Attempt(t.Context(), tr.s.Store, tr.p.ID))
	_, _, err := forge.Cancel(t.Context(), tr.s.Store, tr.p)
	require.EqualError(t, err, "invalid: The import cannot be canceled because it is canceled")
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}

// A host that does not answer for hours ends an import, or the stage.
func TestTimeoutStrategies(t *testing.T) {
	t.Parallel()
	for _, optimistic := range []bool{false, true} {
		tr := newTrial(t, forge.Options{Optimistic: optimistic})
		tr.h.Fault = func(r *http.Request) *forgetest.Fault {
			if strings.HasSuffix(r.URL.Path, "/labels") {
				return &forgetest.Fault{Status: 503, Body: `{"message":"down for ` + tr.h.Token + `"}`}
			}
			return nil
		}
		require.Greater(t, tr.finish(200), int(forge.StageTime/time.Minute)-10)
		failures, err := project.ImportFailures(t.Context(), tr.s.Store, tr.p.ID)
		require.NoError(t, err)
		if !optimistic {
			require.Equal(t, "failed", tr.p.ImportStatus)
			require.Equal(t, "the stage labels has made no progress for 2h0m0s: down for ***** (HTTP 503)",
				*tr.p.ImportError)
			continue
		}
		require.Equal(t, "finished", tr.p.ImportStatus)
		require.Equal(t, "labels", failures[0].Relation)
		require.Equal(t, "down for ***** (HTTP 503)", failures[0].Message)
		require.Equal(t, 3, tr.counts()["merge_requests"])
	}
}

// What ends an import, and in which words.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, path, text string }{
		{"no repository", "/acme/site.git/info/refs", "127.0.0.1 has no repository at this address"},
		{"token revoked", "/api/v3/repos/acme/site/pulls", "the host does not accept the token any more: gone (HTTP 401)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, forge.Options{})
			tr.h.Fault = func(r *http.Request) *forgetest.Fault {
				switch {
				case r.URL.Path != tt.path:
					return nil
				case strings.Contains(tt.path, ".git"):
					return &forgetest.Fault{Status: 404}
				}
				return &forgetest.Fault{Status: 401, Body: `{"message":"gone"}`}
			}
			tr.finish(1)
			require.Equal(t, "failed", tr.p.ImportStatus)
			require.Equal(t, tt.text, *tr.p.ImportError)
			require.Zero(t, tr.counts()["project_imports"], "the token is left")
		})
	}
}
