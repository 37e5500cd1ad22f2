package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/cmd/hew/session"
	"hew/cmd/hew/view"
	"hew/reconcile"
	"hew/reconcile/addr"
	"hew/reconcile/apply"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
	"hew/reconcile/rewrite"
)

// fake is a session without a host: it has a plan and an outcome ready.
type fake struct {
	plan    *plan.Plan
	outcome *apply.Outcome
	adopted *rewrite.Result
	diags   hcl.Diagnostics
	asked   reconcile.Options
	applied bool
	closed  bool
	cancel  context.CancelFunc // interrupts while it plans
}

func (f *fake) Plan(_ context.Context, o reconcile.Options) (*plan.Plan, hcl.Diagnostics) {
	f.asked = o
	if f.cancel != nil {
		f.cancel()
	}
	return f.plan, f.diags
}

func (f *fake) Outputs(ctx context.Context, _ string) (*plan.Plan, hcl.Diagnostics) {
	return f.Plan(ctx, reconcile.Options{})
}

func (f *fake) Apply(context.Context) (*apply.Outcome, hcl.Diagnostics) {
	f.applied = true
	if f.outcome == nil {
		return nil, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Plan is stale"}}
	}
	return f.outcome, nil
}

func (f *fake) Expression(_ context.Context, text string) (cty.Value, hcl.Diagnostics) {
	return reporttest.Str("value of " + text), nil
}

func (f *fake) Adopt(*plan.Plan) *rewrite.Result { return f.adopted }

func (f *fake) Sources() report.Sources { return report.Sources{} }
func (f *fake) Close() error            { f.closed = true; return nil }

// run runs a command as the program does, on streams and in an environment of its own.
func run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{Env: session.Env{Version: "dev", Offline: offline, Environ: environment(env)}, in: stdin, out: stdout,
		err: stderr, now: time.Now, tty: view.IsTerminal, open: connect}
	return a.run(ctx, args)
}

// with runs a command on a fake; person tells whether anybody is at standard
// input.
func with(ctx context.Context, f *fake, person bool, stdin string, args ...string) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	in := strings.NewReader(stdin)
	a := &app{Env: session.Env{Version: "dev", Offline: offline}, in: in, out: &stdout, err: &stderr, now: time.Now,
		tty: func(s any) bool { return person && s == any(in) },
		open: func(context.Context, *app, settings) (engine, report.Diagnostics) {
			if f == nil {
				return nil, report.Diagnostics{
					Diagnostics: hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "No host is set"}},
				}
			}
			return f, report.Diagnostics{}
		}}
	return a.run(ctx, args), stdout.String(), stderr.String()
}

// P02: nothing to do ends with 0; P03: drift has a code of its own.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	nothing, changes, guarded := reporttest.Plans["nothing"], reporttest.Plans["sample"], reporttest.Plans["trouble"]
	blocked := &plan.Plan{Applyable: true, Blocked: guarded.Blocked}
	adoption := &plan.Plan{
		Applyable: true, Changes: reporttest.Plans["values"].Changes[len(reporttest.Plans["values"].Changes)-1:],
	}
	done := &apply.Outcome{Done: changes.Changes}
	left := &rewrite.Result{Manual: []rewrite.Value{{Addr: reporttest.At(reporttest.GroupKind, "acme", "", ""),
		Live: "null", Why: "it is worked out",
		At: hcl.Range{Filename: "main.hcl", Start: hcl.Pos{Line: 3, Column: 1}}}}}
	failing := hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Bad"}}
	for _, c := range []struct {
		name    string
		args    string
		fake    *fake
		stdin   string
		person  bool
		code    int
		applied bool
		says    string
	}{
		{name: "nothing to plan", args: "plan", fake: &fake{plan: nothing}, says: "No changes."},
		{name: "changes", args: "plan", fake: &fake{plan: changes}, says: "Plan: 1 to create"},
		{name: "changes, detailed", args: "plan -detailed-exitcode", fake: &fake{plan: changes}, code: 2},
		{name: "nothing, detailed", args: "plan -detailed-exitcode", fake: &fake{plan: nothing}},
		{name: "adoption is no change", args: "plan -detailed-exitcode", fake: &fake{plan: adoption}},
		{name: "guard", args: "plan", fake: &fake{plan: guarded}, code: 1, says: "Guard: mass-delete"},
		{name: "guard before changes", args: "plan -detailed-exitcode", fake: &fake{plan: guarded}, code: 1},
		{name: "blocked", args: "plan", fake: &fake{plan: blocked}, code: 1, says: "403 Forbidden"},
		{name: "configuration error", args: "plan", fake: &fake{diags: failing}, code: 1, says: "Error: Bad"},
		{name: "no session", args: "plan", code: 1, says: "No host is set"},
		{name: "no drift", args: "drift", fake: &fake{plan: nothing}, says: "No drift."},
		{name: "drift", args: "drift", fake: &fake{plan: changes}, code: 2, says: "2 objects have drifted: "},
		{name: "drift unknowable", args: "drift", fake: &fake{plan: reporttest.Plans["ledgerless"]}, code: 2,
			says: "cannot tell drift from your own changes"},
		{name: "adopting nothing", args: "drift -adopt", fake: &fake{plan: nothing}, says: "No drift."},
		{name: "adopting, all left", args: "drift -adopt", fake: &fake{plan: changes, adopted: left}, code: 2,
			says: "group.acme = null                                 main.hcl:3:1\n      It is worked " +
				"out.\n\nNothing was adopted. 1 left."},
		{name: "adopting all", args: "drift -adopt", fake: &fake{plan: changes, adopted: &rewrite.Result{}},
			says: "Nothing was adopted."},
		{name: "adopting beside blocked", args: "drift -adopt",
			fake: &fake{plan: &plan.Plan{Blocked: guarded.Blocked, Changes: changes.Changes}, adopted: left}, code: 1,
			says: "1 left."},
		{name: "adopting without a ledger", args: "drift -adopt", fake: &fake{plan: reporttest.Plans["ledgerless"]},
			code: 1, says: "Nothing can be adopted"},
		{name: "adopting in Markdown", args: "drift -adopt -format=markdown", fake: &fake{plan: changes, adopted: left},
			code: 2, says: "- `group.acme = null` (`main.hcl:3:1`): It is worked out."},
		{name: "drift, blocked", args: "drift", fake: &fake{plan: blocked}, code: 1},
		{name: "apply asks and is told", args: "apply", fake: &fake{plan: changes, outcome: done}, person: true,
			stdin: "yes\n", applied: true, says: "Apply 5 changes to the host?"},
		{name: "apply asks for the word", args: "apply", fake: &fake{plan: changes}, person: true, stdin: "y\n",
			code: 1, says: "Nothing was changed."},
		{name: "apply asks nobody", args: "apply", fake: &fake{plan: changes}, person: true, code: 1,
			says: "Nothing was changed."},
		{name: "apply without a terminal", args: "apply", fake: &fake{plan: changes}, code: 1, says: "-auto-approve"},
		{name: "apply in JSON", args: "apply -json", fake: &fake{plan: changes}, person: true, code: 1,
			says: "asks for approval, which -json"},
		{name: "apply unasked", args: "apply -auto-approve", fake: &fake{plan: changes, outcome: done}, applied: true,
			says: "Done: 1 created, 2 updated"},
		{name: "apply records adoptions unasked", args: "apply", fake: &fake{plan: adoption, outcome: &apply.Outcome{}},
			person: true, applied: true, says: "Done: nothing to do."},
		{name: "apply guarded", args: "apply -auto-approve", fake: &fake{plan: guarded}, code: 1,
			says: "Stopped by 1 guard.  0 requests, 0.0 s.\nNothing was changed."},
		{name: "apply beside blocked", args: "apply -auto-approve", fake: &fake{plan: blocked, outcome: done}, code: 1,
			applied: true},
		{name: "apply failed in part", args: "apply -auto-approve",
			fake: &fake{plan: changes, outcome: reporttest.Outcome}, code: 1, applied: true, says: "main.hcl:7:1"},
		{name: "apply interrupted", args: "apply -auto-approve",
			fake: &fake{plan: changes, outcome: &apply.Outcome{Interrupted: true}}, code: 1, applied: true,
			says: "Apply interrupted: 0 applied."},
		{name: "apply refused", args: "apply -auto-approve", fake: &fake{plan: changes}, code: 1, applied: true,
			says: "Plan is stale"},
		{name: "destroy names counts", args: "destroy", fake: &fake{plan: changes, outcome: done}, person: true,
			stdin: "yes\n", applied: true, says: "Delete 1 object on the host: 1 group member?"},
		{name: "destroy without a terminal", args: "destroy", fake: &fake{plan: changes}, code: 1,
			says: "hew destroy asks"},
		{name: "what drifted, as a plan", args: "plan -refresh-only", fake: &fake{plan: changes},
			says: "2 objects have drifted: "},
		{name: "what drifted, detailed", args: "plan -refresh-only -detailed-exitcode", fake: &fake{plan: changes},
			code: 2},
		{name: "apply -destroy names counts", args: "apply -destroy", fake: &fake{plan: changes, outcome: done},
			person: true, stdin: "yes\n", applied: true, says: "Delete 1 object on the host: 1 group member?"},
		{name: "apply without input", args: "apply -input=false", fake: &fake{plan: changes}, person: true, code: 1,
			says: "-input=false does not allow it"},
		{name: "unknown format", args: "plan -format=xml", fake: &fake{plan: nothing}, code: 1,
			says: "-format=xml is not a valid format. Use text, json, "},
		{name: "no budget to speak of", args: "plan -format=markdown -budget=10", fake: &fake{plan: nothing}, code: 1,
			says: "-budget=10 is not valid. It takes a number of bytes, 2000 or more."},
		{name: "a budget that is none", args: "plan -format=markdown -budget=abc", fake: &fake{plan: nothing}, code: 1,
			says: "-budget=abc is not valid. It takes a number of bytes"},
		{name: "a budget for nothing", args: "plan -budget=5000", fake: &fake{plan: nothing}, code: 1,
			says: "-budget limits Markdown, but no Markdown is written"},
		{name: "a budget for nothing, drift", args: "drift -json -budget=5000", fake: &fake{plan: nothing}, code: 1,
			says: "-budget limits Markdown"},
		{name: "two formats", args: "plan -json -format=widget", fake: &fake{plan: nothing}, code: 1,
			says: "-json and -format=widget cannot be combined"},
		{name: "widget", args: "plan -format=widget", fake: &fake{plan: changes}, says: `"create": 1`},
		{name: "widget of a failure", args: "plan -format=widget", code: 1, says: "{}\n"},
		{name: "guard in SARIF", args: "plan -format=sarif", fake: &fake{plan: guarded}, code: 1,
			says: `"ruleId": "mass-delete"`},
		{name: "guard in JUnit", args: "plan -format=junit", fake: &fake{plan: guarded}, code: 1,
			says: `<testcase classname="guard" name="mass-delete"`},
		{name: "drift beside blocked", args: "drift",
			fake: &fake{plan: &plan.Plan{Blocked: guarded.Blocked, Changes: changes.Changes}}, code: 1,
			says: "2 objects have drifted: "},
		{name: "what drifted, detailed, blocked", args: "plan -refresh-only -detailed-exitcode",
			fake: &fake{plan: blocked}, code: 1, says: "No drift in the objects that could be read."},
		{name: "another ledger", args: "plan -ledger=x", fake: &fake{plan: nothing}, code: 1,
			says: "It accepts only none"},
		{name: "no such width", args: "plan -parallelism=-1", fake: &fake{plan: nothing}, code: 1,
			says: "-parallelism=-1 is not valid"},
		{name: "no width at all", args: "plan -parallelism=0", fake: &fake{plan: nothing}, code: 1,
			says: "1 or more; omit it"},
		{name: "no such time", args: "apply -auto-approve -lock-timeout=-5s", fake: &fake{plan: nothing}, code: 1,
			says: "-lock-timeout=-5s"},
		{name: "JSON of a failure", args: "plan -json", code: 1, says: `"summary": "No host is set"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := with(t.Context(), c.fake, c.person, c.stdin, strings.Fields(c.args)...)
			require.Equal(t, c.code, code, out+errs)
			require.Contains(t, out+errs, c.says)
			require.NotContains(t, out+errs, reporttest.Leak)
			if c.fake != nil {
				require.Equal(t, c.applied, c.fake.applied)
			}
		})
	}
}

// TestAsked: what each command and its flags ask of the engine; every session
// is freed.
func TestAsked(t *testing.T) {
	t.Parallel()
	group, hook := reporttest.At(reporttest.GroupKind, "acme", "", ""),
		reporttest.At(reporttest.HookKind, "ci", "acme/api", "")
	module := addr.Instance{Block: addr.Block{Module: "web"}}
	type opts = reconcile.Options
	for _, c := range []struct {
		args string
		want reconcile.Options
	}{
		{`plan`, opts{}},
		{`plan -destroy`, opts{Mode: reconcile.Destroy}},
		{`plan -refresh-only`, opts{Mode: reconcile.Drift}},
		{`plan -target=group.acme -target module.web`, opts{Target: []addr.Instance{group, module}}},
		{`plan -exclude=project_hook.ci["acme/api"]`, opts{Exclude: []addr.Instance{hook}}},
		{`plan -replace group.acme -target=group.acme`,
			opts{Replace: []addr.Instance{group}, Target: []addr.Instance{group}}},
		{`plan -refresh-only -exclude group.acme`, opts{Mode: reconcile.Drift, Exclude: []addr.Instance{group}}},
		{`drift`, opts{Mode: reconcile.Drift}},
		{`drift -target=group.acme`, opts{Mode: reconcile.Drift, Target: []addr.Instance{group}}},
		{`apply -auto-approve`, opts{}},
		{`apply -auto-approve -destroy`, opts{Mode: reconcile.Destroy}},
		{`apply -auto-approve -replace=group.acme`, opts{Replace: []addr.Instance{group}}},
		{`apply -auto-approve -refresh-only=false -refresh=true -lock -input=false`, opts{}},
		{`destroy -auto-approve`, opts{Mode: reconcile.Destroy}},
		{`destroy -auto-approve -target=module.web`, opts{Mode: reconcile.Destroy, Target: []addr.Instance{module}}},
	} {
		f := &fake{plan: reporttest.Plans["nothing"], outcome: &apply.Outcome{}}
		code, _, errs := with(t.Context(), f, false, "", strings.Fields(c.args)...)
		require.Zero(t, code, c.args+errs)
		require.Equal(t, c.want.Mode, f.asked.Mode, c.args)
		for i, lists := range [][2][]addr.Instance{{c.want.Target, f.asked.Target}, {c.want.Exclude, f.asked.Exclude},
			{c.want.Replace, f.asked.Replace}} {
			require.ElementsMatch(t, lists[0], lists[1], "%s: list %d", c.args, i)
		}
		require.True(t, f.closed, c.args)
	}
}

// TestInterrupt: whatever a command had to say, an interrupt ends with 1.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for command, p := range map[string]*plan.Plan{"plan": reporttest.Plans["nothing"],
		"drift": reporttest.Plans["sample"]} {
		ctx, cancel := context.WithCancel(t.Context())
		code, out, errs := with(ctx, &fake{plan: p, cancel: cancel}, false, "", command)
		require.Equal(t, 1, code, command)
		require.Empty(t, out, command)
		require.Contains(t, errs, "Error: Interrupted", command)
	}
}

// TestInterruptKeepsReport: an interrupted run does not replace the report of an earlier one.
func TestInterruptKeepsReport(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"plan", "drift"} {
		for _, format := range []string{"text", "json", "markdown", "html", "sarif", "junit"} {
			file := filepath.Join(t.TempDir(), "report")
			require.NoError(t, os.WriteFile(file, []byte("earlier"), 0o600))
			ctx, cancel := context.WithCancel(t.Context())
			f := &fake{plan: reporttest.Plans["sample"], cancel: cancel}
			code, _, errs := with(ctx, f, false, "", command+" -format="+format+" -o="+file)
			require.Equal(t, 1, code, errs)
			kept, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, "earlier", string(kept), "%s %s", command, format)
		}
	}
}

// broken is a disk that is full.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestAnswerIsLost: a run that could not say what it had to is no success,
// whichever command it is.
func TestAnswerIsLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte("locals {}\n"), 0o600))
	for _, command := range []string{"plan", "plan -compact", "plan -json", "drift", "validate", "graph", "docs",
		"docs group", "schema", "version", "-version", "-help", "plan -help", "init", "completion bash"} {
		var errs bytes.Buffer
		a := &app{Env: session.Env{Version: "dev", Offline: offline}, in: strings.NewReader(""), out: broken{},
			err: &errs, now: time.Now, tty: func(any) bool { return false },
			open: func(context.Context, *app, settings) (engine, report.Diagnostics) {
				return &fake{plan: reporttest.Plans["sample"]}, report.Diagnostics{}
			}}
		require.Equal(t, 1, a.run(t.Context(), append(strings.Fields(command), "-chdir", dir)), command)
		require.Contains(t, errs.String(), "no space left", command)
	}
}

// TestOutputFile: -o takes the answer out of standard output.
func TestOutputFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, out, errs := with(t.Context(), &fake{plan: reporttest.Plans["sample"]}, false, "", "plan", "-json", "-o",
		"plan.json", "-chdir", dir)
	require.Zero(t, code, errs)
	require.Empty(t, out)
	document, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	require.NoError(t, err)
	reporttest.Conforms(t, report.Schema, "report", document)
	require.Equal(t,
		"Plan: 1 to create, 2 to update, 1 to adopt, 1 to delete.  2 of these undo drift.  38 requests, 0.4 s.\n", errs)
	code, out, errs = with(t.Context(), nil, false, "", "plan", "-json", "-o", "plan.json", "-chdir", dir)
	require.Equal(t, 1, code)
	require.Empty(t, out)
	require.Equal(t, "Error: No host is set\n\n", errs)
	code, _, errs = with(
		t.Context(), &fake{plan: reporttest.Plans["sample"]}, false, "", "plan", "-o", filepath.Join(dir, "none", "x"),
	)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "cannot be written")
}
