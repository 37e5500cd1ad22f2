package cli

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/cmd/hew/session"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
	"hew/testacc/notes"
)

// newDesk is a host with the merge request acme/infra!12, which people have written
// to.
func newDesk(t *testing.T) (*notes.Host, string) {
	d := notes.New(t, passkey, "acme/infra")
	d.Add(12, notes.Person, "LGTM")
	d.Add(12, notes.Person, "Look at\n<!-- hew plan 0 -->")
	return d, d.URL
}

// job is the environment of a CI job for the merge request.
func job(host string, more ...string) map[string]string {
	env := map[string]string{"CI_API_V4_URL": host + "/api/v4", "CI_PROJECT_ID": "acme/infra",
		"CI_MERGE_REQUEST_IID": "12", "HEW_COMMENT_TOKEN": passkey,
		"CI_COMMIT_SHA": "0a1b2c", "CI_PIPELINE_ID": "345",
		"CI_PIPELINE_URL": "https://git.example.com/acme/infra/-/pipelines/345",
		"CI_JOB_URL":      "https://git.example.com/acme/infra/-/jobs/6"}
	maps.Copy(env, environment(more))
	return env
}

// proposed runs a plan in a CI job, and makes sure that no token is printed.
func proposed(t *testing.T, p *plan.Plan, env map[string]string, args ...string) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	a := &app{Env: session.Env{Version: "dev", Offline: offline, Environ: env}, in: strings.NewReader(""), out: &stdout,
		err: &stderr, now: time.Now, tty: func(any) bool { return false },
		open: func(context.Context, *app, settings) (engine, report.Diagnostics) {
			if p == nil {
				diags, files := reporttest.Diagnosed(t)
				return nil, report.Diagnostics{Diagnostics: diags, Sources: files}
			}
			one := *p
			return &fake{plan: &one}, report.Diagnostics{}
		}}
	code = a.run(t.Context(), append([]string{"plan"}, args...))
	require.NotContains(t, stdout.String()+stderr.String(), passkey)
	return code, stdout.String(), stderr.String()
}

// TestComment: whatever is planned however often, there is one note, and those of
// others stay as they are.
func TestComment(t *testing.T) {
	t.Parallel()
	d, host := newDesk(t)
	for range 250 { // over several pages
		d.Add(12, notes.Person, "Ship it.")
	}
	others := d.On(12, 0)
	for _, run := range []struct {
		plan *plan.Plan
		args string
		code int
		want string // what is written
		says string
	}{
		{reporttest.Plans["sample"], "-comment", 0, "POST 253", "Plan: 1 to create"},
		{reporttest.Plans["sample"], "-comment", 0, "", "Plan: 1 to create"},
		{reporttest.Plans["values"], "-comment -json", 0, "PUT 253", "Plan: "},
		{reporttest.Plans["trouble"], "-comment -detailed-exitcode", 1, "PUT 253", "Guard `mass-delete`"},
		{nil, "-comment", 1, "PUT 253", "There is no plan"},
		{reporttest.Plans["nothing"], "-comment", 0, "PUT 253", "No changes."},
		{reporttest.Plans["nothing"], "-comment=acme/infra!12", 0, "", "No changes."},
		{reporttest.Plans["sample"], "-comment -comment-key=staging", 0, "POST 254", "### hew plan: `staging`"},
		{reporttest.Plans["sample"], "-comment -var-file=staging.hclvars", 0, "POST 255", "Plan: 1 to create"},
	} {
		code, _, errs := proposed(t, run.plan, job(host), strings.Fields(run.args)...)
		require.Equal(t, run.code, code, errs)
		require.Equal(t, run.want, d.Written(), errs)
		mine := d.On(12, notes.Bot)
		require.Contains(t, mine[len(mine)-1].Body, run.says)
		require.NotContains(t, mine[len(mine)-1].Body, reporttest.Leak)
	}
	require.Equal(t, others, d.On(12, 0)[:len(others)])
	last := d.On(12, notes.Bot)[1].Body
	require.Contains(t, last,
		"Of commit `0a1b2c` in [pipeline 345](https://git.example.com/acme/infra/-/pipelines/345). Details: "+
			"[job](https://git.example.com/acme/infra/-/jobs/6).")
	require.Contains(t, last, "Digest `d1`")
	require.Regexp(t, `\n<!-- hew plan [0-9a-f]{32} 345 -->$`, last)
}

// TestCommentRefused: what is missing is said before anything is planned; what
// the host refuses, after it. The plan is printed, and the run is no success.
func TestCommentRefused(t *testing.T) {
	t.Parallel()
	d, host := newDesk(t)
	without := func(names ...string) map[string]string {
		env := job(host)
		for _, n := range names {
			delete(env, n)
		}
		return env
	}
	with := func(env map[string]string, more string) map[string]string {
		maps.Copy(env, environment(strings.Split(more, ";")))
		return env
	}
	const iid = "CI_MERGE_REQUEST_IID"
	for _, c := range []struct {
		env  map[string]string
		args string
		says string
	}{
		{with(without(iid), "CI_PIPELINE_SOURCE=push"), "-comment",
			`the pipeline has no merge request: CI_MERGE_REQUEST_IID is not set and CI_PIPELINE_SOURCE is push`},
		{with(without(iid), "CI_OPEN_MERGE_REQUESTS=acme/infra!12,acme/fork!3"), "-comment",
			"several open merge requests (acme/infra!12, acme/fork!3). Name one of them"},
		{without("CI_PROJECT_ID"), "-comment", "Set CI_MERGE_REQUEST_PROJECT_ID or CI_PROJECT_ID"},
		{without("CI_API_V4_URL"), "-comment", "CI_API_V4_URL is not set"},
		{map[string]string{"HEW_COMMENT_TOKEN": passkey, "HEW_TOKEN": passkey}, "-comment=acme/infra!12",
			"-comment=acme/infra!12: the host of the merge request is not known. Set HEW_URL"},
		{job(host), "-comment=12", "-comment=12 is not a merge request"},
		{job(host), "-comment=acme/infra!x", "is not a merge request"},
		{job(host), "-comment=", "-comment has an empty value"},
		{job(host), "-comment-key=x", "-comment-key requires -comment"},
	} {
		code, out, errs := proposed(t, reporttest.Plans["sample"], c.env, c.args)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		require.Contains(t, errs, c.says)
	}
	for _, c := range []struct {
		env    map[string]string
		args   string
		status int
		says   string
	}{
		{without("HEW_COMMENT_TOKEN"), "-comment", 0, "missing token. Set HEW_COMMENT_TOKEN"},
		{with(without("HEW_COMMENT_TOKEN"), "HEW_TOKEN="+passkey+";HEW_URL="+host), "-comment", 0,
			"Set HEW_COMMENT_TOKEN to a token of " + host + "/api/v4; hew sends HEW_TOKEN only to"},
		{job(host), "-comment=acme/other!1", 0,
			"The merge request acme/other!1 does not exist, or the token cannot see it"},
		{job(host), "-comment", 403,
			"Set HEW_COMMENT_TOKEN to a token of scope api that can write notes on acme/infra!12"},
		{job(host), "-comment", 401, "Set HEW_COMMENT_TOKEN to a token"},
	} {
		d.Fail(c.status)
		for _, flags := range []string{"", " -detailed-exitcode"} {
			code, out, errs := proposed(t, reporttest.Plans["sample"], c.env, strings.Fields(c.args+flags)...)
			require.Equal(t, 1, code)
			require.Contains(t, out, "Plan: 1 to create")
			require.Contains(t, errs, "the note could not be written")
			require.Contains(t, errs, c.says)
		}
	}
	require.Empty(t, d.On(12, notes.Bot))
	require.Empty(t, d.Written())
}

// TestCommentOfManagedHost: where the merge request is on the host that hew
// manages, its own token serves; and a branch with one merge request is enough.
func TestCommentOfManagedHost(t *testing.T) {
	t.Parallel()
	d, host := newDesk(t)
	p := *reporttest.Plans["sample"]
	p.Host = host
	code, _, errs := proposed(t, &p,
		map[string]string{"HEW_TOKEN": passkey, "CI_API_V4_URL": host + "/api/v4/",
			"CI_OPEN_MERGE_REQUESTS": "acme/infra!12"}, "-comment")
	require.Zero(t, code, errs)
	code, _, errs = proposed(
		t, &p, map[string]string{"HEW_TOKEN": passkey, "HEW_URL": host + "/"}, "-comment=acme/infra!12",
	)
	require.Zero(t, code, errs)
	require.Len(t, d.On(12, notes.Bot), 1)
}

// TestCommentKeepsItsToken: a merge request can make its pipeline plan for a host of
// the author, which must not get the token.
func TestCommentKeepsItsToken(t *testing.T) {
	t.Parallel()
	thief := receiver(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	d, host := newDesk(t)
	p := *reporttest.Plans["sample"]
	p.Host = thief.URL
	for _, c := range []struct {
		env  string
		says string
	}{
		{"HEW_URL=" + host, ", so the host of the merge request acme/infra!12 is ambiguous"},
		{"GITLAB_BASE_URL=" + host, "but GITLAB_BASE_URL names " + host},
		{"HEW_URL=" + thief.URL + ";CI_API_V4_URL=" + host, ""},
	} {
		env := environment(strings.Split(c.env, ";"))
		env["HEW_COMMENT_TOKEN"] = passkey
		code, _, errs := proposed(t, &p, env, "-comment=acme/infra!12")
		require.Equal(t, c.says != "", code == 1, errs)
		require.Contains(t, strings.Join(strings.Fields(errs), " "), c.says)
		require.Equal(t, c.says == "", len(d.On(12, notes.Bot)) == 1)
	}
}
