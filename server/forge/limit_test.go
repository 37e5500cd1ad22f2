package forge_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/forge"
	"hew/server/forge/forgetest"
)

const repo = "/api/v3/repos/acme/site"

// A host that sends without end does not fill the disk.
func TestMuchStaged(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	tr.h.Lists[repo+"/issues/comments"][0].(map[string]any)["body"] = strings.Repeat("x", 1<<20)
	tr.do = tr.do.WithLimits(1<<20, 0)
	tr.finish(1)
	require.Equal(t, "failed", tr.p.ImportStatus)
	require.Equal(t, "the issues, merge requests and comments of the repository have more than 1 MiB", *tr.p.ImportError)
	require.Zero(t, tr.counts()["forge_documents"])
}

// Of an issue with too many comments, the later ones are left out.
func TestLargeParts(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	for n := range 3 {
		tr.h.Lists[repo+"/issues/comments"] = append(tr.h.Lists[repo+"/issues/comments"], map[string]any{
			"id": 900 + n, "body": strings.Repeat("y", 900_000), "user": nil,
			"issue_url": tr.h.URL + repo + "/issues/11",
		})
	}
	tr.do = tr.do.WithLimits(0, 2<<20)
	tr.finish(1)
	require.Equal(t, "finished", tr.p.ImportStatus, "%v", tr.p.ImportError)
	require.Equal(t, []string{"notes: the comments and events of number 11 have more than 2 MiB: the rest is left out"},
		tr.failures())
	require.Equal(t, whole["notes"]+2, tr.counts()["notes"])
	require.Equal(t, whole["issues"], tr.counts()["issues"])
}

// Outside collaborators of an organization do not become members, and nobody does if the host does
// not say who they are.
func TestOutsideCollaborators(t *testing.T) {
	t.Parallel()
	for refused, want := range map[bool][]string{false: {"Ann"}, true: nil} {
		tr := newTrial(t, forge.Options{Collaborators: true})
		list := tr.h.Lists[repo+"/collaborators"]
		tr.h.Lists[repo+"/collaborators"] = append([]any{
			map[string]any{"id": 3, "login": "eve", "role_name": "admin"},
			map[string]any{"id": 4, "login": "fay", "role_name": "admin"},
		}, list...)
		tr.h.Lists[repo+"/collaborators?affiliation=outside"] = append([]any{}, tr.h.Lists[repo+"/collaborators"][:2]...)
		tr.h.Lists[repo+"/collaborators?affiliation=outside"] = append(
			tr.h.Lists[repo+"/collaborators?affiliation=outside"], list[1])
		tr.h.Fault = func(r *http.Request) *forgetest.Fault {
			if refused && r.URL.Query().Get("affiliation") == "outside" {
				return &forgetest.Fault{Status: 403, Body: `{"message":"no"}`}
			}
			return nil
		}
		var members []string
		tr.do = tr.do.AfterStep(func(stage string) (err error) {
			if stage == "labels" || members != nil {
				return nil
			}
			members, err = db.Values[string](t.Context(), tr.s.Store, `
				select key from forge_documents where project_id = @id and kind = 'collaborator'`,
				pgx.NamedArgs{"id": tr.p.ID})
			if len(members) == 0 {
				members = nil
			}
			return err
		})
		tr.finish(1)
		require.Equal(t, want, members)
		if refused {
			require.Contains(t, tr.failures(), "collaborators: no (HTTP 403)")
		}
	}
}

// late is a context whose deadline passes when a test says so.
type late struct {
	context.Context
	over chan struct{}
}

// Done implements context.Context.
func (l late) Done() <-chan struct{} { return l.over }

// Err implements context.Context.
func (l late) Err() error {
	select {
	case <-l.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// A repository that takes longer than an attempt may last ends the import, in words for its user.
func TestSlowRepository(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	ctx := late{context.WithoutCancel(t.Context()), make(chan struct{})}
	tr.h.Fault = func(r *http.Request) *forgetest.Fault {
		if strings.Contains(r.URL.Path, ".git/") {
			close(ctx.over)
			<-r.Context().Done()
		}
		return nil
	}
	require.NoError(t, tr.do.Attempt(ctx, tr.s.Store, tr.p.ID))
	require.Equal(t, "failed", tr.status())
	require.Equal(t, "the import took longer than 4h0m0s", *tr.p.ImportError)
}

// A batch of pull requests reads the history as often as one of them.
func TestHistoryReadOnce(t *testing.T) {
	t.Parallel()
	reads := func(more int) (n int) {
		tr := newTrial(t, forge.Options{})
		for i := range more {
			pull := maps.Clone(tr.h.Lists[repo+"/pulls"][0].(map[string]any))
			pull["number"], pull["state"] = 100+i, "closed"
			tr.h.Lists[repo+"/pulls"] = append(tr.h.Lists[repo+"/pulls"], pull)
		}
		counted := tr.s.Counted(t)
		for sql, times := range counted.During(t, func() {
			require.NoError(t, tr.do.Attempt(t.Context(), counted.Store, tr.p.ID))
		}) {
			if strings.Contains(sql, "c.written_by >= $") {
				n += times
			}
		}
		require.Equal(t, "finished", tr.status(), "%v", tr.p.ImportError)
		require.Equal(t, 3+more, tr.counts()["merge_requests"], fmt.Sprint(tr.failures()))
		return n
	}
	one := reads(1)
	require.NotZero(t, one)
	require.Equal(t, one, reads(12))
}
