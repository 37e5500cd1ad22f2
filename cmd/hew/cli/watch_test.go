package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/cmd/hew/session"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// passkey is what a watcher is told with, and nobody else.
const passkey = "key-0123456789"

// alert is what an endpoint is sent.
type alert struct {
	Title, Description, Severity, Fingerprint string
	StartTime                                 string `json:"start_time"`
	EndTime                                   string `json:"end_time"`
}

// ticket is an issue.
type ticket struct {
	IID         int64    `json:"iid"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	State       string   `json:"state"`
	Labels      []string `json:"labels"`
}

// nightly runs drift over a plan in an environment, and makes sure that no key
// is printed.
func nightly(t *testing.T, p plan.Plan, env map[string]string, args ...string) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	a := &app{Env: session.Env{Version: "dev", Offline: offline, Environ: env}, in: strings.NewReader(""), out: &stdout,
		err: &stderr, now: func() time.Time { return time.Unix(1_790_000_000, 0) },
		tty: func(any) bool { return false }, open: func(context.Context, *app, settings) (engine, report.Diagnostics) {
			return &fake{plan: &p}, report.Diagnostics{}
		}}
	code = a.run(t.Context(), append([]string{"drift"}, args...))
	require.NotContains(t, stdout.String()+stderr.String(), passkey)
	return code, stdout.String(), stderr.String()
}

// receiver is a host that keeps what it is sent, one line a request.
func receiver(t *testing.T, handle http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s
}

// TestAlert: one message a night, of one fingerprint; the one of a night without
// drift has an end. Where not everything could be looked at, nobody is told that
// all is well.
func TestAlert(t *testing.T) {
	t.Parallel()
	var got []alert
	s := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "Bearer "+passkey, r.Header.Get("Authorization"))
		assert.Equal(t, "application/json", r.Header.Get("Content-Type"))
		var m alert
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&m))
		got = append(got, m)
	})
	sample, nothing := *reporttest.Plans["sample"], *reporttest.Plans["nothing"]
	sample.Lineage, nothing.Lineage = "lineage", "lineage"
	many := sample
	for i := range 500 {
		c := sample.Changes[0]
		c.Addr = reporttest.At(reporttest.GroupKind, fmt.Sprintf("g%d", i), "", "")
		many.Changes = append(many.Changes, c)
	}
	for _, night := range []struct {
		plan plan.Plan
		code int
		want string // severity and when, or nothing
	}{
		{sample, 2, "medium from"},
		{many, 2, "medium from"},
		{plan.Plan{Lineage: "lineage", Blocked: reporttest.Plans["trouble"].Blocked}, 1, ""},
		{plan.Plan{Lineage: "lineage", Guards: []plan.Finding{{Code: "mass-404"}}}, 1, "critical from"},
		{nothing, 0, "medium to"},
	} {
		got = nil
		code, _, errs := nightly(t, night.plan, map[string]string{"HEW_ALERT_TOKEN": passkey}, "-alert="+s.URL)
		require.Equal(t, night.code, code, errs)
		var told []string
		for _, m := range got {
			require.Len(t, m.Fingerprint, 32)
			require.Equal(t, "Drift of cli", m.Title)
			require.LessOrEqual(t, len([]rune(m.Description)), 1000)
			when := map[bool]string{m.StartTime != "": " from", m.EndTime != "": " to"}
			told = append(told, m.Severity+when[true])
		}
		require.Equal(t, night.want, strings.Join(told, ", "))
	}
}

// TestAlertRefused: the drift is printed all the same, and the run is no success.
func TestAlertRefused(t *testing.T) {
	t.Parallel()
	for status, says := range map[int]string{
		401: "is not valid for this endpoint", 403: "does not exist or is disabled", 404: "does not exist",
		302: "does not send the key", 500: "answered 500",
	} {
		visited := 0
		s := receiver(t, func(w http.ResponseWriter, r *http.Request) {
			visited++
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		})
		code, out, errs := nightly(t, *reporttest.Plans["sample"], map[string]string{"HEW_ALERT_TOKEN": passkey},
			"-alert="+s.URL+"/secret-path")
		require.Equal(t, 1, code)
		require.Contains(t, out, "2 objects have drifted: ")
		require.Contains(t, errs, says)
		require.NotContains(t, errs, "secret-path")
		require.Equal(t, 1, visited)
	}
	code, _, errs := nightly(t, *reporttest.Plans["sample"], nil,
		"-alert="+receiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }).URL)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "no key is set")
	for _, url := range []string{"git.example.com/x", "ftp://x/y", "https://:" + passkey + "@git.example.com/x"} {
		code, out, errs := nightly(t, *reporttest.Plans["sample"], nil, "-alert="+url)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		require.Regexp(t, "-alert must (not have a user|be an absolute http or https URL)", errs)
	}
	for _, flag := range []string{"-alert=https://x", "-issue=acme/ops", "-strays"} {
		_, _, errs := nightly(t, *reporttest.Plans["sample"], nil, flag, "-target=group.acme")
		require.Contains(t, errs, "cannot be combined with -target or -exclude")
	}
}

// board is a host with the issues of a project.
type board struct {
	t      *testing.T
	issues []*ticket
	log    []string // the writes
	status int      // of every answer, if set
}

func (b *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	assert.Equal(b.t, passkey, r.Header.Get("PRIVATE-TOKEN"))
	if b.status != 0 {
		w.WriteHeader(b.status)
		return
	}
	path, under := strings.CutPrefix(r.URL.EscapedPath(), "/api/v4/projects/acme%2Fops/issues")
	if !under {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if r.Method == http.MethodGet {
		assert.Equal(b.t, "all", r.URL.Query().Get("state"))
		found := []*ticket{}
		for _, i := range b.issues {
			if strings.Join(i.Labels, ",") == r.URL.Query().Get("labels") {
				found = append(found, i)
			}
		}
		assert.NoError(b.t, json.NewEncoder(w).Encode(found))
		return
	}
	var body map[string]string
	assert.NoError(b.t, json.NewDecoder(r.Body).Decode(&body))
	var i *ticket
	if r.Method == http.MethodPost {
		i = &ticket{
			IID: int64(len(b.issues) + 1), State: "opened", Title: body["title"], Labels: []string{body["labels"]},
		}
		b.issues = append(b.issues, i)
		w.WriteHeader(http.StatusCreated)
	} else {
		for _, known := range b.issues {
			if fmt.Sprintf("/%d", known.IID) == path {
				i = known
			}
		}
	}
	if i == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if text, said := body["description"]; said {
		i.Description = strings.TrimSpace(strings.ReplaceAll(text, "\n", "\r\n")) // as hosts do
	}
	if event := body["state_event"]; event != "" {
		i.State = map[string]string{"close": "closed", "reopen": "opened"}[event]
	}
	b.log = append(b.log, fmt.Sprintf("%s %d, %s, %v", r.Method, i.IID, i.State, body["description"] != ""))
	assert.NoError(b.t, json.NewEncoder(w).Encode(i))
}

// TestIssue (P07): whatever is found on however many nights, there is one issue.
// It is written only where it would say something else.
func TestIssue(t *testing.T) {
	t.Parallel()
	b := &board{t: t, issues: []*ticket{{IID: 1, State: "opened", Description: "another configuration's",
		Labels: []string{"hew-drift"}}, {IID: 2, State: "opened"}}}
	s := receiver(t, b.ServeHTTP)
	sample, nothing, other := *reporttest.Plans["sample"], *reporttest.Plans["nothing"], *reporttest.Plans["values"]
	blocked := plan.Plan{Blocked: []config.Blocked{{Addr: reporttest.At(reporttest.GroupKind, "acme", "", "")}}}
	for _, night := range []struct {
		plan plan.Plan
		code int
		want string // what is written
	}{
		{nothing, 0, ""},
		{sample, 2, "POST 3, opened, true"},
		{sample, 2, ""},
		{other, 2, "PUT 3, opened, true"},
		{blocked, 1, ""},
		{nothing, 0, "PUT 3, closed, false"},
		{nothing, 0, ""},
		{other, 2, "PUT 3, opened, false"},
		{sample, 2, "PUT 3, opened, true"},
	} {
		b.log = nil
		night.plan.Host, night.plan.Lineage = s.URL, "lineage"
		code, _, errs := nightly(
			t, night.plan, map[string]string{"HEW_URL": s.URL, "HEW_ISSUE_TOKEN": passkey, "HEW_TOKEN": "another"},
			"-issue=acme/ops",
		)
		require.Equal(t, night.code, code, errs)
		require.Equal(t, night.want, strings.Join(b.log, "; "))
	}
	i := b.issues[2]
	require.Equal(t, "Drift of cli", i.Title)
	require.Contains(t, i.Description, "### hew drift")
	require.Regexp(t, `\n<!-- hew drift [0-9a-f]{32} -->$`, i.Description)
	require.Equal(t, "opened opened", b.issues[0].State+" "+b.issues[1].State)

	// Two are left by somebody: the open one counts.
	closed := *i
	closed.IID, closed.State = 9, "closed"
	b.issues, b.log = append(b.issues, &closed), nil
	nothing.Host, nothing.Lineage = s.URL, "lineage"
	_, _, errs := nightly(t, nothing, map[string]string{"HEW_URL": s.URL, "HEW_TOKEN": passkey}, "-issue=acme/ops")
	require.Equal(t, "PUT 3, closed, false", strings.Join(b.log, "; "), errs)

	b.status = http.StatusForbidden
	sample.Host = s.URL
	code, out, errs := nightly(t, sample, map[string]string{"HEW_URL": s.URL, "HEW_TOKEN": passkey}, "-issue=acme/ops")
	require.Equal(t, 1, code)
	require.Contains(t, out, "2 objects have drifted: ")
	require.Contains(t, errs, "Set HEW_ISSUE_TOKEN to a token of scope api that can write issues of acme/ops")
	_, _, errs = nightly(t, sample, map[string]string{"HEW_URL": s.URL}, "-issue=acme/ops")
	require.Contains(t, errs, "missing token")
}
