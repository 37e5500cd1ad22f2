package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/reconcile"
	"hew/reconcile/plan"
)

// session is a configuration beside its host, as commands see them.
type session interface {
	Plan(context.Context, reconcile.Options) (*plan.Plan, hcl.Diagnostics)
	Apply(context.Context) (*reconcile.Outcome, hcl.Diagnostics)
	Sources() sources
	Close() error
}

// settings are the flags that say what a run works with.
type settings struct {
	vars        []assignment
	ledger      string // "none", or "" for what the configuration says
	parallelism int    // 0: as the host allows
	lockTimeout time.Duration
	writes      bool // the run may change the host, so it takes the lock
	partial     bool // variables may be without a value
	notify      func(reconcile.Event)
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

func (s *settings) variables(f *pflag.FlagSet) {
	f.Var(assignments{&s.vars, false}, "var", "`NAME=VALUE` of a variable; may be given many times")
	f.Var(assignments{&s.vars, true}, "var-file", "`FILE` of variables; may be given many times")
}

func (s *settings) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	s.variables(f)
	f.StringVar(&s.ledger, "ledger", "", "`none` works without a ledger, as if hew had managed nothing so far")
	f.IntVar(&s.parallelism, "parallelism", 0, "at most `N` requests and changes at once; hew adapts below that")
	s.patience(f)
	complete(cmd, "ledger", "none")
}

// complete has shells offer the values of a flag that has only these.
func complete(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails for no flag only
}

func (s *settings) patience(f *pflag.FlagSet) {
	f.DurationVar(&s.lockTimeout, "lock-timeout", 0, "wait for `TIME`, such as 30s, while another run holds the lock")
}

func (s *settings) check() error {
	if s.ledger != "" && s.ledger != "none" {
		return fmt.Errorf("-ledger=%s is not understood. The one value is none; where the ledger is kept is said in the hew block of the configuration", s.ledger)
	}
	if s.parallelism < 0 {
		return fmt.Errorf("-parallelism=%d is not understood. It is the number of changes at once, 1 or more; leave it out and hew adapts to the host", s.parallelism)
	}
	return nil
}

// form is how a command answers.
type form struct {
	json, compact bool
	format, file  string
}

func (f *form) flags(cmd *cobra.Command) {
	s := cmd.Flags()
	s.BoolVar(&f.json, "json", false, "answer with one JSON document; same as -format=json")
	s.StringVar(&f.format, "format", "text", "`FORMAT` of the answer: text or json")
	s.StringVarP(&f.file, "o", "o", "", "write the answer to `FILE`")
	s.BoolVar(&f.compact, "compact", false, "one line an object, without attributes")
	complete(cmd, "format", "text", "json")
}

func (f *form) forPeople() bool { return !f.json && f.format == "text" && f.file == "" }

// view makes the view that a form asks for.
func (a *app) view(command string, f form) (view, error) {
	if f.json {
		f.format = "json"
	}
	if f.format != "json" && f.format != "text" {
		return nil, fmt.Errorf("-format=%s is not known; use text or json", f.format)
	}
	out := a.out
	var file *os.File
	if f.file != "" {
		var err error
		if file, err = os.Create(a.path(f.file)); err != nil {
			return nil, fmt.Errorf("the answer cannot be written: %w", err)
		}
		out = file
	}
	var v view = newPrograms(out, command)
	if f.format == "text" {
		v = &text{console: a.console(out), err: a.console(a.err), command: command, compact: f.compact}
	}
	if file != nil {
		v = filed{v, file}
	}
	return v, nil
}

// filed is a view that writes to a file of its own.
type filed struct {
	view
	file *os.File
}

func (f filed) Close() error { return errors.Join(f.view.Close(), f.file.Close()) }

// planned opens a session, plans, shows the plan, and goes on with it. Every
// command that talks to the host begins so.
func (a *app) planned(cmd *cobra.Command, s settings, f form, opts reconcile.Options, then func(session, view, *plan.Plan) error) (err error) {
	if err := s.check(); err != nil {
		return err
	}
	v, err := a.view(cmd.Name(), f)
	if err != nil {
		return err
	}
	defer func() {
		if closing := v.Close(); closing != nil {
			err = fmt.Errorf("the answer cannot be written: %w", closing)
		}
	}()
	progress, stop := a.progress()
	defer stop()
	s.notify = func(e reconcile.Event) { progress.notify(e, v.Changed) }
	ctx := cmd.Context()
	ses, found := a.open(ctx, a, s)
	if ses == nil {
		v.Diagnostics(found)
		return failed
	}
	defer func() {
		if closing := ses.Close(); closing != nil && err == nil {
			err = fmt.Errorf("the run is done, but its lock could not be released: %w", closing)
		}
	}()
	ses = watched{ses, progress}
	p, diags := ses.Plan(ctx, opts)
	if ctx.Err() != nil { // what it found is about the interrupt, not about the host
		p, diags = nil, hcl.Diagnostics{problem("Interrupted", "There is no plan yet, and nothing was changed.")}
	}
	found.Diagnostics = append(found.Diagnostics, diags...)
	v.Diagnostics(report{found.Diagnostics, ses.Sources()})
	if p == nil {
		return failed
	}
	v.Plan(p)
	return then(ses, v, p)
}

// carryOut applies what was planned and shows what came of it.
func (a *app) carryOut(ctx context.Context, ses session, v view, p *plan.Plan) error {
	o, diags := ses.Apply(ctx)
	v.Diagnostics(report{diags, ses.Sources()})
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

// approvable refuses a run that would have to ask and cannot, before it does
// any work.
func (a *app) approvable(command string, autoApprove bool, f form) error {
	switch {
	case autoApprove:
		return nil
	case !f.forPeople():
		return fmt.Errorf("hew %s asks before it changes anything, and -json, -format and -o leave nobody to ask. Pass -auto-approve to go on without asking", command)
	case !a.tty(a.in):
		return fmt.Errorf("hew %s asks before it changes anything, and standard input is not a terminal. Look at the plan first, then pass -auto-approve to go on without asking", command)
	}
	return nil
}

// confirm asks a question that only the whole word yes answers. An interrupt
// is a no.
func (a *app) confirm(ctx context.Context, question string) bool {
	fmt.Fprintf(a.out, "\n%s\nOnly yes is accepted: ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.in).ReadString('\n') // an end of input is a no as well
		answer <- line
	}()
	select {
	case <-ctx.Done():
	case line := <-answer:
		if strings.TrimSpace(line) == "yes" {
			return true
		}
	}
	fmt.Fprintln(a.out, "Not approved. Nothing was changed.")
	return false
}
