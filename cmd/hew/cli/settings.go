package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/cmd/hew/session"
	"hew/cmd/hew/usage"
	"hew/reconcile"
	"hew/reconcile/report"
)

// settings are the flags that say what a command works with.
type settings struct {
	session.Options
	input bool   // a person may be asked
	saves bool   // the plan may be saved
	pause func() // erases the progress line before somebody is asked
}

func (s *settings) addVariables(a *app, cmd *cobra.Command, f *pflag.FlagSet) {
	f.Var(usage.Assignments{List: &s.Vars}, "var", "set the variable NAME to VALUE; repeatable")
	f.Var(usage.Assignments{List: &s.Vars, File: true}, "var-file", "read values of variables from `FILE`; repeatable")
	// fails for no flag only
	_ = cmd.RegisterFlagCompletionFunc("var-file", a.completeFiles("hclvars", "tfvars", "json"))
}

func (s *settings) addFlags(a *app, cmd *cobra.Command) {
	f := cmd.Flags()
	s.addVariables(a, cmd, f)
	f.Var(usage.Word{Value: &s.Ledger, Accept: "none"}, "ledger",
		"run without a ledger and treat every object as unmanaged")
	addParallelism(f, &s.Parallelism)
	f.BoolVar(&s.input, "input", true, "ask for missing values on a terminal (default true)")
	s.addLockTimeout(f)
	usage.RefreshFlag.Add(f)
	usage.StateFlag.Add(f)
	if !s.saves {
		usage.OutFlag.Add(f)
	}
	lock := usage.LockFlag
	if !s.Writes {
		lock.Advice = "" // the command takes no lock anyway
	}
	lock.Add(f)
	usage.CompleteValues(cmd, "ledger", "none")
}

// addParallelism adds -parallelism, whose value goes to n; 0 if it is not given.
func addParallelism(f *pflag.FlagSet, n *int) {
	f.Var(usage.Count{Value: n, Least: 1, Accept: "the number of concurrent requests, 1 or more; omit it and hew " +
		"adapts to the host"},
		"parallelism", "limit concurrent requests and changes to `N` (default: adapts to the host)")
}

// addBase adds -base, for commands whose plan tells drift from change.
func (s *settings) addBase(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Base, "base", "", "without a ledger, treat the configuration at the commit `GITREF` "+
		"as applied")
}

func (s *settings) addLockTimeout(f *pflag.FlagSet) {
	f.DurationVar(&s.LockTimeout, "lock-timeout", 0, "wait up to `TIME`, such as 30s, for the ledger's lock "+
		"(default 0s)")
}

func (s *settings) check() error {
	if s.Ledger != "" && s.Ledger != "none" {
		return fmt.Errorf("-ledger=%s is not valid. It accepts only none; configure the ledger in the hew block", s.Ledger)
	}
	if s.LockTimeout < 0 {
		return fmt.Errorf("-lock-timeout=%s is not valid. It takes a time such as 30s; omit it to fail at once if "+
			"the ledger is locked", s.LockTimeout)
	}
	return nil
}

// connect opens the session of the configuration. It is nil if the report has errors.
func connect(ctx context.Context, a *app, s settings) (engine, report.Diagnostics) {
	cfg, found := a.loadPrompting(ctx, s)
	if found.HasErrors() {
		return nil, found
	}
	ses, more := a.Open(ctx, cfg, s.Options)
	more.Diagnostics = append(found.Diagnostics, more.Diagnostics...)
	if ses == nil {
		return nil, more // an untyped nil
	}
	return ses, more
}

// listener is told what happens while an engine works; every view is one.
type listener interface {
	Changed(reconcile.Event)
	Diagnostics(report.Diagnostics)
}
