package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/rewrite"
)

// session is a configuration beside its host, as commands see them.
type session interface {
	Plan(context.Context, reconcile.Options) (*plan.Plan, hcl.Diagnostics)
	// Outputs plans as far as outputs need it, all or the one that is named.
	Outputs(ctx context.Context, name string) (*plan.Plan, hcl.Diagnostics)
	Apply(context.Context) (*apply.Outcome, hcl.Diagnostics)
	// Expression evaluates a text in the planned world.
	Expression(text string) (cty.Value, hcl.Diagnostics)
	// Adopt works out how the files come to say what drifted.
	Adopt(*plan.Plan) *rewrite.Result
	Sources() report.Sources
	Close() error
}

// settings are the flags that say what a run works with.
type settings struct {
	vars        []assignment
	ledger      string // "none", or "" for what the configuration says
	base        string // a commit whose configuration stands in for the ledger
	parallelism breadth
	lockTimeout time.Duration
	input       bool              // a person may be asked
	saves       bool              // the plan may be saved
	writes      bool              // the run may change the host, so it takes the lock
	partial     bool              // variables may be without a value
	browse      bool              // every attribute of every object may be asked for
	instead     map[string][]byte // what files are taken to hold, by their names in the directory
	notify      func(reconcile.Event)
	quiet       func() // takes back what progress has on the terminal, before somebody is asked
}

// assignment is a -var or a -var-file, in the order typed: the last one of a
// name counts.
type assignment struct {
	file bool
	text string
}

// assignments collects flags of one sort into the common list.
type assignments struct {
	list *[]assignment
	file bool
}

func (f assignments) String() string { return "" }
func (f assignments) Type() string   { return "string" }
func (f assignments) Set(s string) error {
	*f.list = append(*f.list, assignment{f.file, s})
	return nil
}

// breadth is how many changes may be in flight; as many as the host bears for 0,
// which cannot be typed.
type breadth int

func (b *breadth) String() string { return strconv.Itoa(int(*b)) }
func (b *breadth) Type() string   { return "breadth" }
func (b *breadth) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err == nil && n < 1 {
		err = errors.New("too few")
	}
	*b = breadth(n)
	return err
}

func (s *settings) variables(a *app, cmd *cobra.Command, f *pflag.FlagSet) {
	f.Var(assignments{&s.vars, false}, "var", "`NAME=VALUE` of a variable; may be given many times")
	f.Var(assignments{&s.vars, true}, "var-file", "`FILE` of variables; may be given many times")
	_ = cmd.RegisterFlagCompletionFunc("var-file", a.completeFiles("hclvars", "tfvars", "json")) // fails for no flag only
}

func (s *settings) flags(a *app, cmd *cobra.Command) {
	f := cmd.Flags()
	s.variables(a, cmd, f)
	f.StringVar(&s.ledger, "ledger", "", "`none` works without a ledger, as if hew had managed nothing so far")
	f.Var(&s.parallelism, "parallelism", "at most `N` requests and changes at once; hew adapts below that")
	f.BoolVar(&s.input, "input", true, "ask for what is missing, on a terminal; -input=false never asks")
	s.patience(f)
	for _, h := range habits {
		h.add(f)
	}
	if !s.saves {
		outHabit.add(f)
	}
	lock := lockHabit
	if !s.writes {
		lock.why = "" // it would take none
	}
	lock.add(f)
	complete(cmd, "ledger", "none")
}

// baseFlag is for commands whose plan tells drift from change.
func (s *settings) baseFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.base, "base", "", "without a ledger, take the configuration of the commit `GITREF` for what was applied last")
}

func (s *settings) patience(f *pflag.FlagSet) {
	f.DurationVar(&s.lockTimeout, "lock-timeout", 0, "wait for `TIME`, such as 30s, while another run holds the lock")
}

func (s *settings) check() error {
	if s.ledger != "" && s.ledger != "none" {
		return fmt.Errorf("-ledger=%s is not understood. The one value is none; where the ledger is kept is said in the hew block of the configuration", s.ledger)
	}
	if s.lockTimeout < 0 {
		return fmt.Errorf("-lock-timeout=%s is not understood. It is a time to wait, such as 30s; leave it out and a lock that is held ends the run at once", s.lockTimeout)
	}
	return nil
}

// listener hears what comes up while a session is at work; every view is one.
type listener interface {
	Changed(reconcile.Event)
	Diagnostics(report.Diagnostics)
}

// planning is how a session comes to a plan.
type planning func(context.Context, session) (*plan.Plan, hcl.Diagnostics)

// planFor is a plan with options, of everything if they are empty.
func planFor(opts reconcile.Options) planning {
	return func(ctx context.Context, ses session) (*plan.Plan, hcl.Diagnostics) { return ses.Plan(ctx, opts) }
}

// opened opens a session, plans, and goes on with the plan. Every command that
// talks to the host begins so.
func (a *app) opened(cmd *cobra.Command, s settings, l listener, do planning, then func(session, *plan.Plan) error) (err error) {
	progress, stop := a.progress()
	defer stop()
	log := a.logger()
	s.quiet = progress.rest
	s.notify = func(e reconcile.Event) {
		progress.notify(e, l.Changed)
		logEvent(log, e)
	}
	ctx := cmd.Context()
	ses, found := a.open(ctx, a, s)
	if ses == nil {
		l.Diagnostics(found)
		return failed
	}
	defer func() {
		if closing := ses.Close(); closing != nil && err == nil {
			err = fmt.Errorf("the run is done, but its lock could not be released: %w", closing)
		}
	}()
	ses = watched{ses, progress}
	p, diags := do(ctx, ses)
	if ctx.Err() != nil { // what it found is about the interrupt, not about the host
		p, diags = nil, hcl.Diagnostics{problem("Interrupted", "There is no plan yet, and nothing was changed.")}
	}
	found.Diagnostics = append(found.Diagnostics, diags...)
	l.Diagnostics(report.Diagnostics{Diagnostics: found.Diagnostics, Sources: ses.Sources()})
	if p == nil {
		return failed
	}
	logPlan(log, p)
	return then(ses, p)
}

// planned plans, shows the plan in the form asked for, and goes on with it.
func (a *app) planned(cmd *cobra.Command, s settings, f form, opts reconcile.Options, then func(session, *reporter, *plan.Plan) error) error {
	return a.vetted(cmd, s, f, opts, func(*plan.Plan) hcl.Diagnostics { return nil }, then)
}

// vetted is planned, and ends where vet finds the plan wanting, before it is
// shown.
func (a *app) vetted(cmd *cobra.Command, s settings, f form, opts reconcile.Options, vet func(*plan.Plan) hcl.Diagnostics,
	then func(session, *reporter, *plan.Plan) error) (err error) {
	if err := s.check(); err != nil {
		return err
	}
	f.asked, f.base = opts, s.base
	v, err := a.view(cmd.Name(), f)
	if err != nil {
		return err
	}
	defer func() {
		if closing := v.Close(); closing != nil {
			err = fmt.Errorf("the answer cannot be written: %w", closing)
		}
	}()
	return a.opened(cmd, s, v, planFor(opts), func(ses session, p *plan.Plan) error {
		if wanting := vet(p); wanting.HasErrors() {
			v.Diagnostics(report.Diagnostics{Diagnostics: wanting, Sources: ses.Sources()})
			return failed
		}
		if opts.Mode == reconcile.Drift {
			p = steady(p)
		}
		v.Plan(p)
		return then(ses, v, p)
	})
}

// carryOut applies what was planned and shows what came of it. From here on
// whoever stops reading the answer does not stop the run half-way: what was
// reviewed is done, and the run ends with the error that nobody could be told.
func (a *app) carryOut(ctx context.Context, ses session, v *reporter, p *plan.Plan) error {
	signal.Ignore(syscall.SIGPIPE)
	o, diags := ses.Apply(ctx)
	v.Diagnostics(report.Diagnostics{Diagnostics: diags, Sources: ses.Sources()})
	if o == nil {
		return failed
	}
	v.Outcome(o)
	if diags.HasErrors() || o.Interrupted || len(o.Failed)+len(o.Skipped) > 0 {
		return failed
	}
	return verdict(p)
}

// verdict is an error for a plan that is not whole.
func verdict(p *plan.Plan) error {
	if len(p.Blocked) > 0 || len(p.Guards) > 0 {
		return failed
	}
	return nil
}
