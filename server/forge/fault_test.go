package forge_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/forge"
	"hew/server/forge/forgetest"
	"hew/server/project"
	"hew/server/protect"
	"hew/server/transfer/archive"
)

// failures returns what the import went on without: the relations and messages.
func (tr *trial) failures() (texts []string) {
	tr.t.Helper()
	list, err := project.ImportFailures(tr.t.Context(), tr.s.Store, tr.p.ID)
	require.NoError(tr.t, err)
	for _, f := range list {
		texts = append(texts, f.Relation+": "+f.Message)
	}
	return texts
}

// An attempt that lasts for hours leaves the rest to another one, and has not failed.
func TestLongAttempt(t *testing.T) {
	t.Parallel()
	tr, late := newTrial(t, forge.Options{}), 0
	tr.do = tr.do.AfterStep(func(stage string) error {
		if stage == "labels" || stage == "store_issues" {
			late++
			tr.clock = tr.clock.Add(forge.TurnTime + time.Minute)
		}
		return nil
	})
	require.NoError(t, tr.do.Attempt(t.Context(), tr.s.Store, tr.p.ID))
	require.Equal(t, []any{1, "started"}, []any{late, tr.status()})
	attempts, err := db.Value[int](t.Context(), tr.s.Store, `
		select attempts - interruptions from project_imports where project_id = @id and alive_at is null`,
		pgx.NamedArgs{"id": tr.p.ID})
	require.NoError(t, err)
	require.Zero(t, attempts, "the attempt counts as a failed one")
	require.Greater(t, tr.finish(10), 2)
	tr.checkWhole()
}

// With a user goes what is known of the progress of their imports, which end then.
func TestUserDeleted(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	dave := tr.s.User(t, "dave")
	for _, sql := range []string{
		`update forge_imports set user_id = @user where project_id = @id`, `delete from users where id = @user`,
	} {
		require.NoError(t, tr.s.Store.Exec(t.Context(), sql, pgx.NamedArgs{"id": tr.p.ID, "user": dave.ID}))
	}
	require.Equal(t, []int{1, 0}, []int{tr.counts()["project_imports"], tr.counts()["forge_imports"]})
	require.NoError(t, tr.s.Store.Exec(t.Context(), `
		update project_imports set created_at = now() - interval '2 minutes' where project_id = @id`,
		pgx.NamedArgs{"id": tr.p.ID}))
	require.NoError(t, forge.Resume(t.Context(), tr.s.Store))
	tr.s.Drain(t)
	require.Equal(t, "failed", tr.status())
	require.Equal(t, "the user who asked for the import was deleted", *tr.p.ImportError)
	require.Zero(t, tr.counts()["project_imports"], "the token is left")
}

// A list whose pages never end is cut, and so is one that comes back to itself.
func TestEndlessLists(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	tr.h.Fault = func(r *http.Request) *forgetest.Fault {
		if !strings.HasSuffix(r.URL.Path, "/labels") && !strings.HasSuffix(r.URL.Path, "/pulls/1/reviews") {
			return nil
		}
		return &forgetest.Fault{Status: 200, Body: "[]", Header: map[string]string{
			"Link": "<" + tr.h.URL + r.URL.Path + `?page=7>; rel="next"`,
		}}
	}
	tr.finish(1)
	require.Equal(t, "finished", tr.p.ImportStatus, "%v", tr.p.ImportError)
	require.Equal(t, []string{
		"labels: the host names a page as the one after itself",
		"reviews: the host names a next page that was read before",
	}, tr.failures())
}

// A wiki that is not there is none; one that cannot be read is a failure.
func TestFaultyWiki(t *testing.T) {
	t.Parallel()
	for status, want := range map[int][]string{
		404: nil,
		403: {"wiki: 127.0.0.1 does not let this user read the repository"},
		500: {"wiki: 127.0.0.1 answers with status 500"},
	} {
		tr := newTrial(t, forge.Options{})
		tr.h.Fault = func(r *http.Request) *forgetest.Fault {
			if strings.HasPrefix(r.URL.Path, "/acme/site.wiki.git/") {
				return &forgetest.Fault{Status: status}
			}
			return nil
		}
		tr.finish(1)
		require.Equal(t, want, tr.failures(), status)
		tr.checkWhole()
	}
}

// What protects the project already is not replaced by what the host says: the stricter side wins.
func TestStricterSideWins(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	_, err := protect.CreatePushRule(t.Context(), tr.s.Store, tr.p.Container(), func(r *protect.PushRule) error {
		r.DenyDeleteTag, r.MaxFileSize = true, 7
		return nil
	})
	require.NoError(t, err)
	tr.h.Values["/api/v3/repos/acme/site/branches/main/protection"] = map[string]any{
		"allow_force_pushes":  map[string]any{"enabled": true},
		"required_signatures": map[string]any{"enabled": true},
	}
	tr.finish(1)
	tr.checkWhole()
	rule, err := protect.PushRules(tr.s.Store, tr.p.Container()).One(t.Context(), db.AnyRow)
	require.NoError(t, err)
	require.Equal(t, []any{true, true, 7}, []any{rule.RejectUnsignedCommits, rule.DenyDeleteTag, rule.MaxFileSize})
	refs, err := protect.AllProtectedRefs(t.Context(), tr.s.Store, tr.p.Container(), protect.Branch)
	require.NoError(t, err)
	require.Len(t, refs, 1)
	require.False(t, refs[0].AllowForcePush)
	require.Equal(t, 40, *refs[0].LevelsOf(protect.Merge)[0].AccessLevel)
}

func TestStricterLevels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		host int
		ours []int
		want []int
	}{
		{40, nil, []int{40}}, {0, []int{40}, []int{0}}, {40, []int{0}, []int{0}}, {30, []int{40}, []int{40}},
		{40, []int{30}, []int{40}}, {40, []int{60}, []int{60}}, {40, []int{30, 60}, []int{40, 60}},
	} {
		levels := []protect.RefLevel{}
		for _, level := range tt.ours {
			levels = append(levels, protect.RefLevel{AccessLevel: &level})
		}
		got := []int{}
		for _, l := range forge.StricterLevels([]archive.AccessLevel{{AccessLevel: &tt.host}}, levels) {
			got = append(got, *l.AccessLevel)
		}
		require.True(t, slices.Equal(tt.want, got), "%+v: %v", tt, got)
	}
}

// What this server cannot do for a moment is not a fault of a document: it comes with a later
// attempt.
func TestServerFault(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	exec := func(sql string) error { return tr.s.Store.Exec(t.Context(), sql, nil) }
	away := false
	tr.do = tr.do.AfterStep(func(stage string) error {
		if stage != "store_issues" || away {
			return nil
		}
		away = true
		return exec(`alter table commits rename to commits_away`)
	})
	require.ErrorContains(t, tr.do.Attempt(t.Context(), tr.s.Store, tr.p.ID), `relation "commits" does not exist`)
	require.NoError(t, exec(`alter table commits_away rename to commits`))
	require.Equal(t, []any{"started", 0}, []any{tr.status(), tr.counts()["merge_requests"]})
	tr.finish(2)
	tr.checkWhole()
	require.Empty(t, tr.failures())
}

// Issues with large parts are stored one by one, and those with small ones together.
func TestStoredByBytes(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	for i, c := range tr.h.Lists["/api/v3/repos/acme/site/issues/comments"] {
		c.(map[string]any)["body"] = strings.Repeat("x", 900_000)
		c.(map[string]any)["issue_url"] = tr.h.URL + "/api/v3/repos/acme/site/issues/" + []string{"11", "12"}[i%2]
	}
	for n := range 30 { // 27 MB, half of it on each issue
		tr.h.Lists["/api/v3/repos/acme/site/issues/comments"] = append(
			tr.h.Lists["/api/v3/repos/acme/site/issues/comments"], map[string]any{
				"id": 900 + n, "body": strings.Repeat("y", 900_000), "user": nil,
				"issue_url": tr.h.URL + "/api/v3/repos/acme/site/issues/" + []string{"11", "12"}[n%2],
			})
	}
	steps := map[string]int{}
	tr.do = tr.do.AfterStep(func(stage string) error { steps[stage]++; return nil })
	tr.finish(1)
	require.Equal(t, "finished", tr.p.ImportStatus, "%v", tr.p.ImportError)
	require.Equal(t, 3, steps["store_issues"], "11; 12 and the rest; the end")
	require.Equal(t, whole["notes"]+30, tr.counts()["notes"])
	require.Empty(t, tr.failures())
}
