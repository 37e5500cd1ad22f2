package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/provider/client"
	"hew/reconcile/plan"
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
	env := map[string]string{"CI_API_V4_URL": host + "/api/v4", "CI_PROJECT_ID": "acme/infra", "CI_MERGE_REQUEST_IID": "12", commentToken: passkey,
		"CI_COMMIT_SHA": "0a1b2c", "CI_PIPELINE_ID": "345", "CI_PIPELINE_URL": "https://git.example.com/acme/infra/-/pipelines/345", "CI_JOB_URL": "https://git.example.com/acme/infra/-/jobs/6"}
	maps.Copy(env, environment(more))
	return env
}

// proposed runs a plan in a CI job, and makes sure that no token is printed.
func proposed(t *testing.T, p *plan.Plan, env map[string]string, args ...string) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, env: env, now: time.Now, tty: func(any) bool { return false },
		open: func(context.Context, *app, settings) (session, report) {
			if p == nil {
				return nil, diagnosed(t)
			}
			one := *p
			return &fake{plan: &one}, report{}
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
		{plans["sample"], "-comment", 0, "POST 253", "Plan: 1 to create"},
		{plans["sample"], "-comment", 0, "", "Plan: 1 to create"},
		{plans["values"], "-comment -json", 0, "PUT 253", "Plan: "},
		{plans["trouble"], "-comment -detailed-exitcode", 1, "PUT 253", "Guard `mass-delete`"},
		{nil, "-comment", 1, "PUT 253", "There is no plan"},
		{plans["nothing"], "-comment", 0, "PUT 253", "No changes."},
		{plans["nothing"], "-comment=acme/infra!12", 0, "", "No changes."},
		{plans["sample"], "-comment -comment-key=staging", 0, "POST 254", "### hew plan: `staging`"},
		{plans["sample"], "-comment -var-file=staging.hclvars", 0, "POST 255", "Plan: 1 to create"},
	} {
		code, _, errs := proposed(t, run.plan, job(host), strings.Fields(run.args)...)
		require.Equal(t, run.code, code, errs)
		require.Equal(t, run.want, d.Written(), errs)
		mine := d.On(12, notes.Bot)
		require.Contains(t, mine[len(mine)-1].Body, run.says)
		require.NotContains(t, mine[len(mine)-1].Body, leak)
	}
	require.Equal(t, others, d.On(12, 0)[:len(others)])
	last := d.On(12, notes.Bot)[1].Body
	require.Contains(t, last, "Of commit `0a1b2c` in [pipeline 345](https://git.example.com/acme/infra/-/pipelines/345). What it keeps of it: [job](https://git.example.com/acme/infra/-/jobs/6).")
	require.Contains(t, last, "Digest `d1`")
	require.Regexp(t, `\n<!-- hew plan [0-9a-f]{32} 345 -->$`, last)
}

// TestCommentRaces: of runs at once each may create a note, and one stays.
func TestCommentRaces(t *testing.T) {
	t.Parallel()
	const runs = 5
	d, host := newDesk(t)
	d.Meet(runs)
	var wait sync.WaitGroup
	for i := range runs {
		wait.Go(func() {
			code, _, errs := proposed(t, plans["sample"], job(host, fmt.Sprint("CI_PIPELINE_ID=", i+1)), "-comment")
			require.Zero(t, code, errs)
		})
	}
	wait.Wait()
	require.Len(t, d.On(12, notes.Bot), 1)
	require.EqualValues(t, 3, d.On(12, notes.Bot)[0].ID)
	require.Contains(t, d.On(12, notes.Bot)[0].Body, fmt.Sprint("pipeline ", runs), "the newest is told")
	require.Len(t, d.On(12, 0), 3)
}

// TestCommentMends: what goes wrong on the way leaves one note.
func TestCommentMends(t *testing.T) {
	t.Parallel()
	_, key := comment{}.key(&app{dir: t.TempDir()}, settings{}, []part{{document: newDocument("plan")}})
	own := func(run int64) string { return signature{"plan", key, run}.String() }
	quiet := "### hew plan\n\nNo changes.\n\n" + own(0)
	for name, c := range map[string]struct {
		before func(d *notes.Host)
		want   string
	}{
		"the answer is lost":              {func(d *notes.Host) { d.Lose() }, "POST 3"},
		"two are left by runs that ended": {func(d *notes.Host) { d.Add(12, notes.Bot, quiet); d.Add(12, notes.Bot, quiet) }, "PUT 3; DELETE 4"},
		"somebody copied the mark":        {func(d *notes.Host) { d.Add(12, notes.Person, quiet) }, "POST 4"},
		"hew itself quotes the mark":      {func(d *notes.Host) { d.Add(12, notes.Bot, "### hew plan\n\n- `x "+own(0)+"`") }, "POST 4"},
		"somebody quotes the note": {func(d *notes.Host) {
			d.Add(12, notes.Bot, "> "+strings.ReplaceAll(quiet, "\n", "\n> ")+"\n\nIs that so?")
		}, "POST 4"},
		"his quote ends with the mark": {func(d *notes.Host) { d.Add(12, notes.Bot, "I have seen this:\n"+quiet) }, "POST 4"},
		"his answer is below a copy":   {func(d *notes.Host) { d.Add(12, notes.Bot, quiet); d.Add(12, notes.Bot, quiet+"\nMy reply.") }, "PUT 3"},
		"it is of an earlier pipeline": {func(d *notes.Host) { d.Add(12, notes.Bot, "### hew plan: `x`\n"+own(344)) }, "PUT 3"},
		"the pipeline runs once more": {func(d *notes.Host) {
			d.Add(12, notes.Bot, "### hew plan\n"+own(345))
			d.Add(12, notes.Bot, "### hew plan\n"+own(344))
		}, "PUT 3; DELETE 4"},
		"it is of another configuration":      {func(d *notes.Host) { d.Add(12, notes.Bot, "### hew plan\n"+signature{"plan", key + "0", 0}.String()) }, "POST 4"},
		"it is of something else":             {func(d *notes.Host) { d.Add(12, notes.Bot, "### hew planning\n"+own(0)) }, "POST 4"},
		"it is deleted while it is looked at": {func(d *notes.Host) { d.Vanish(d.Add(12, notes.Bot, quiet)) }, "PUT 3; POST 4"},
		"what the host says of itself":        {func(d *notes.Host) { d.AddSystem(12, quiet) }, "POST 4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, host := newDesk(t)
			c.before(d)
			code, _, errs := proposed(t, plans["sample"], job(host), "-comment", "-chdir="+t.TempDir())
			require.Zero(t, code, errs)
			require.Equal(t, c.want, d.Written())
		})
	}
}

// TestCommentOfAnOlderPipeline: what a newer one has written stays, whoever created
// the note, and a run says that it is late. Of none it is a run by hand, which is
// as late as it can be.
func TestCommentOfAnOlderPipeline(t *testing.T) {
	t.Parallel()
	_, key := comment{}.key(&app{dir: t.TempDir()}, settings{}, []part{{document: newDocument("plan")}})
	of := func(run int64) string { return "### hew plan\n" + signature{"plan", key, run}.String() }
	for name, c := range map[string]struct {
		notes []int64 // the pipelines that wrote them
		more  string
		want  string
		late  bool
	}{
		"the note is of a newer one":      {[]int64{346}, "", "", true},
		"it has created one, too":         {[]int64{346, 345}, "", "DELETE 4", true},
		"the newer one is about to write": {[]int64{344, 346, 343}, "", "DELETE 5", true},
		"it is by hand":                   {[]int64{346}, "CI_PIPELINE_ID=", "PUT 3", false},
		"numbers are no texts":            {[]int64{9}, "", "PUT 3", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, host := newDesk(t)
			for _, run := range c.notes {
				d.Add(12, notes.Bot, of(run))
			}
			code, out, errs := proposed(t, plans["sample"], job(host, c.more), "-comment", "-chdir="+t.TempDir())
			require.Zero(t, code, errs)
			require.Contains(t, out, "Plan: 1 to create")
			require.Equal(t, c.want, d.Written())
			require.Equal(t, c.late, strings.Contains(errs, "The note on acme/infra!12 stays as it is: it is of pipeline 346, which is newer than this one, 345."), errs)
		})
	}
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
		{with(without(iid), "CI_PIPELINE_SOURCE=push"), "-comment", `this is no pipeline of a merge request: CI_MERGE_REQUEST_IID is not set and CI_PIPELINE_SOURCE is push`},
		{with(without(iid), "CI_OPEN_MERGE_REQUESTS=acme/infra!12,acme/fork!3"), "-comment", "several open merge requests (acme/infra!12, acme/fork!3). Say which"},
		{without("CI_PROJECT_ID"), "-comment", "neither CI_MERGE_REQUEST_PROJECT_ID nor CI_PROJECT_ID"},
		{without("CI_API_V4_URL"), "-comment", "CI_API_V4_URL is not set"},
		{map[string]string{commentToken: passkey, "HEW_TOKEN": passkey}, "-comment=acme/infra!12", "-comment=acme/infra!12: nothing says which host it is on. Set HEW_URL"},
		{job(host), "-comment=12", "-comment=12 does not name a merge request"},
		{job(host), "-comment=acme/infra!x", "does not name a merge request"},
		{job(host), "-comment=", "-comment is given and empty"},
		{job(host), "-comment-key=x", "-comment-key names the note of -comment, and none is asked for"},
	} {
		code, out, errs := proposed(t, plans["sample"], c.env, c.args)
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
		{without(commentToken), "-comment", 0, "no token is set to write it with. Set HEW_COMMENT_TOKEN"},
		{with(without(commentToken), "HEW_TOKEN="+passkey+";HEW_URL="+host), "-comment", 0, "that of HEW_TOKEN is for another host than " + host},
		{job(host), "-comment=acme/other!1", 0, "There is no merge request acme/other!1, or the token may not see it"},
		{job(host), "-comment", 403, "with the scope api, goes into HEW_COMMENT_TOKEN"},
		{job(host), "-comment", 401, "goes into HEW_COMMENT_TOKEN"},
	} {
		d.Fail(c.status)
		for _, flags := range []string{"", " -detailed-exitcode"} {
			code, out, errs := proposed(t, plans["sample"], c.env, strings.Fields(c.args+flags)...)
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
	p := *plans["sample"]
	p.Host = host
	code, _, errs := proposed(t, &p, map[string]string{"HEW_TOKEN": passkey, "CI_API_V4_URL": host + "/api/v4/", "CI_OPEN_MERGE_REQUESTS": "acme/infra!12"}, "-comment")
	require.Zero(t, code, errs)
	code, _, errs = proposed(t, &p, map[string]string{"HEW_TOKEN": passkey, "HEW_URL": host + "/"}, "-comment=acme/infra!12")
	require.Zero(t, code, errs)
	require.Len(t, d.On(12, notes.Bot), 1)
}

// TestCommentKeepsItsToken: whoever opens a merge request may have it plan for a
// host of his own, and that gets no token.
func TestCommentKeepsItsToken(t *testing.T) {
	t.Parallel()
	thief := receiver(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	d, host := newDesk(t)
	p := *plans["sample"]
	p.Host = thief.URL
	for _, c := range []struct {
		env  string
		says string
	}{
		{"HEW_URL=" + host, "and HEW_URL names " + host + ": nobody can tell which of them acme/infra!12 is on"},
		{"GITLAB_BASE_URL=" + host, "and GITLAB_BASE_URL names " + host},
		{"HEW_URL=" + thief.URL + ";CI_API_V4_URL=" + host, ""},
	} {
		env := environment(strings.Split(c.env, ";"))
		env[commentToken] = passkey
		code, _, errs := proposed(t, &p, env, "-comment=acme/infra!12")
		require.Equal(t, c.says != "", code == 1, errs)
		require.Contains(t, strings.Join(strings.Fields(errs), " "), c.says)
		require.Equal(t, c.says == "", len(d.On(12, notes.Bot)) == 1)
	}
}

// TestCommentOfHosts: HEW_TOKEN serves for the host that all plans are for, and for
// none that only some of them are for.
func TestCommentOfHosts(t *testing.T) {
	t.Parallel()
	told := func(hosts ...string) (parts []part) {
		for _, host := range hosts {
			d := newDocument("plan")
			d.Host = host
			parts = append(parts, part{document: d})
		}
		return parts
	}
	require.Equal(t, "https://a", managedHost(told("https://a", "https://a")))
	require.Empty(t, managedHost(told("https://a", "https://b")))
	require.Empty(t, managedHost(told("https://a", ""))) // it failed before that was known
}

// TestCommentOfSeveral: several directories have one note, in any order.
func TestCommentOfSeveral(t *testing.T) {
	t.Parallel()
	d, host := newDesk(t)
	top := t.TempDir()
	for _, dir := range []string{"infra/groups", "infra/people"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	for _, args := range []string{"infra/groups infra/people", "infra/people infra/groups -format=markdown", "infra/people infra/groups -json"} {
		code, _, errs := proposed(t, plans["opened"], job(host, "CI_PROJECT_DIR="+top), strings.Fields("-comment -chdir="+top+" "+args)...)
		require.Equal(t, 1, code, errs)
	}
	require.Len(t, d.On(12, notes.Bot), 1)
	require.Contains(t, d.On(12, notes.Bot)[0].Body, "### `infra/groups`")
	require.Contains(t, d.On(12, notes.Bot)[0].Body, "### `infra/people`")
	code, _, _ := proposed(t, plans["opened"], job(host, "CI_PROJECT_DIR="+top), "-comment", "-chdir="+top+"/infra/groups")
	require.Equal(t, 1, code)
	require.Len(t, d.On(12, notes.Bot), 2)
	require.Contains(t, d.On(12, notes.Bot)[1].Body, "### hew plan: `infra/groups`")
}

// TestCommentFits: a note has a limit, whatever is to be told, and a lower one
// where it is asked for.
func TestCommentFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ asked, most, changes int }{
		{0, defaultBudget, 10_000}, {5_000_000, defaultBudget, 10_000}, {20_000, 20_000, 1_000}, {leastBudget, leastBudget, 1_000},
	} {
		v := newPrograms(io.Discard, "plan")
		v.Plan(large(c.changes))
		text, err := (&app{env: job("https://x")}).noteText("x", signature{command: "plan", key: "0"}, form{budget: c.asked}, v.parts)
		require.NoError(t, err)
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
	for _, s := range wicked {
		v := newPrograms(io.Discard, "plan")
		v.Plan(dangerousPlan(s))
		v.doc.Digest, v.doc.Applyable = s, true
		env := map[string]string{"CI_COMMIT_SHA": s, "CI_PIPELINE_ID": "1", "CI_PIPELINE_URL": "https://x/" + s, "CI_JOB_URL": s}
		text, err := (&app{env: env}).noteText(s, signature{command: "plan", key: "0"}, form{}, v.parts)
		require.NoError(t, err)
		left := inert(t, allowed.ReplaceAllString(text, ""))
		left = regexp.MustCompile(`\[pipeline 1\]\(https://x/[^() ]*\)`).ReplaceAllString(left, "")
		require.Empty(t, alive.FindAllString(left, -1), "%q\n%s\n%s", s, left, text)
	}
}

// TestNotesAreAllThatIsWritten: the client of a note sends nothing else.
func TestNotesAreAllThatIsWritten(t *testing.T) {
	t.Parallel()
	s := receiver(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	a := &app{env: map[string]string{commentToken: passkey}}
	c, err := a.poster((&thread{project: "acme/infra", request: 12}).posting(), s.URL, false)
	require.NoError(t, err)
	for _, to := range []client.Path{client.To("projects/{project}", "acme/infra"), client.To("projects/{project}/merge_requests/{request}", "acme/infra", 12),
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
