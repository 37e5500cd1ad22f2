package post

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/cmd/hew/view"
	"hew/provider"
	"hew/provider/client"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// TestCommentOfHosts: HEW_TOKEN serves for the host that all plans are for, and for
// none that only some of them are for.
func TestCommentOfHosts(t *testing.T) {
	t.Parallel()
	told := func(hosts ...string) (parts []report.Part) {
		for _, host := range hosts {
			d := report.NewDocument("plan", "dev")
			d.Host = host
			parts = append(parts, report.Part{Document: d})
		}
		return parts
	}
	require.Equal(t, "https://a", managedHost(told("https://a", "https://a")))
	require.Empty(t, managedHost(told("https://a", "https://b")))
	require.Empty(t, managedHost(told("https://a", ""))) // it failed before that was known
}

// TestCommentFits: a note has a limit, whatever is to be told, and a lower one
// where it is asked for.
func TestCommentFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ asked, most, changes int }{
		{0, view.DefaultBudget, 10_000}, {5_000_000, view.DefaultBudget, 10_000}, {20_000, 20_000, 1_000},
		{view.LeastBudget, view.LeastBudget, 1_000},
	} {
		d := report.NewDocument("plan", "dev")
		d.RecordPlan(reporttest.Large(c.changes), provider.Kinds())
		text := Env{Vars: map[string]string{"CI_COMMIT_SHA": "0a1b2c", "CI_PIPELINE_ID": "345"},
			Budget: c.asked}.noteText("x", signature{command: "plan", key: "0"}, []report.Part{{Document: d}})
		require.LessOrEqual(t, len(text), c.most)
		require.Equal(t, 10, strings.Count(text, "`- group."))
		require.Contains(t, text, "To fit into the budget")
		_, ours := signature{command: "plan", key: "0"}.on(text)
		require.True(t, ours)
	}
}

// TestCommentIsInert: nothing in a note that anybody wrote is markup, a command or
// a call, however it is named.
func TestCommentIsInert(t *testing.T) {
	t.Parallel()
	allowed := regexp.MustCompile(`<!-- hew plan 0 -->\n$`)
	for _, s := range reporttest.Wicked {
		d := report.NewDocument("plan", "dev")
		d.RecordPlan(reporttest.DangerousPlan(s), provider.Kinds())
		d.Digest, d.Applyable = s, true
		vars := map[string]string{
			"CI_COMMIT_SHA": s, "CI_PIPELINE_ID": "1", "CI_PIPELINE_URL": "https://x/" + s, "CI_JOB_URL": s,
		}
		text := Env{Vars: vars}.noteText(s, signature{command: "plan", key: "0"}, []report.Part{{Document: d}})
		left := reporttest.Inert(t, allowed.ReplaceAllString(text, ""))
		left = regexp.MustCompile(`\[pipeline 1\]\(https://x/[^() ]*\)`).ReplaceAllString(left, "")
		require.Empty(t, reporttest.Alive.FindAllString(left, -1), "%q\n%s\n%s", s, left, text)
	}
}

// TestNotesAreAllThatIsWritten: the client of a note sends nothing else.
func TestNotesAreAllThatIsWritten(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request) {
		t.Error("a request was sent")
	}))
	t.Cleanup(s.Close)
	c, err := Env{Vars: map[string]string{commentToken: "key"}}.poster(
		(&thread{project: "acme/infra", request: 12}).posting(), s.URL, false,
	)
	require.NoError(t, err)
	for _, to := range []client.Path{client.To("projects/{project}", "acme/infra"),
		client.To("projects/{project}/merge_requests/{request}", "acme/infra", 12),
		client.To("projects/{project}/merge_requests/{request}/notes/{note}/award_emoji", "acme/infra", 12, 3)} {
		for _, send := range []func() error{
			func() error { _, err := c.Post(t.Context(), to, nil, nil); return err },
			func() error { _, err := c.Put(t.Context(), to, nil, nil); return err },
			func() error { _, err := c.Patch(t.Context(), to, nil, nil); return err },
			func() error { _, err := c.Delete(t.Context(), to, nil, nil); return err },
		} {
			require.ErrorIs(t, send(), client.ErrReadOnly)
		}
	}
}
