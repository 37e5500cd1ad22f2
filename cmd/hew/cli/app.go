package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hew/cmd/hew/progress"
	"hew/cmd/hew/session"
	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/provider/client"
	"hew/reconcile/config"
	"hew/reconcile/report"
)

// app is one run of the program: its streams, its environment, and the flags of every command.
type app struct {
	session.Env
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
	// tty reports whether a stream is a terminal; open connects the configuration with its host.
	// Tests have their own.
	tty  func(stream any) bool
	open func(context.Context, *app, settings) (engine, report.Diagnostics)

	progress *progress.Line // nil until something is worked on
	lines    *bufio.Reader  // of in, once lines are read
	answers  []config.Var   // values of variables that a person has typed, so that each is asked for once
	noColor  bool
}

// exit is an error that ends a run with an exit code after everything has been printed.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// The exit codes.
const (
	failed  exit = 1 // an error, a guard, or something that could not be planned or applied
	differs exit = 2 // drift, or changes with -detailed-exitcode
)

func (a *app) run(ctx context.Context, args []string) int {
	out := &view.Stream{Writer: a.out}
	a.out = out
	a.Log, a.Silent = a.logger(), a.printSilence
	a.warnOfLogLevel()
	root := a.root()
	typed := usage.NormalizeArgs(root, args)
	root.SetArgs(typed)
	if usage.Completing(args) {
		root.SetOut(usage.CompletionWriter{Writer: a.out, OneDash: usage.PartialFlag(args)})
	}
	err := root.ExecuteContext(ctx)
	var code exit
	if out.Err != nil && (err == nil || errors.As(err, &code)) {
		err = fmt.Errorf("the output cannot be written: %w", out.Err)
	}
	if err != nil && !errors.As(err, &code) {
		code = failed
		a.noColor = a.noColor || slices.Contains(typed, "--no-color") // after a wrong flag it is not parsed
		view.WriteError(a.console(a.err), err)
	}
	if ctx.Err() != nil {
		code = failed // an interrupted run never succeeds
	}
	return int(code)
}

func environment(list []string) map[string]string {
	env := make(map[string]string, len(list))
	for _, kv := range list {
		name, value, _ := strings.Cut(kv, "=")
		env[name] = value
	}
	return env
}

// root assembles the commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "hew",
		Short: "Reconcile a GitLab-compatible host with configuration",
		Long: `hew compares configuration with a GitLab-compatible host, shows what differs and why, and applies
the configuration.`,
		Version:       a.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usage.NoSubcommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().StringVar((*string)(&a.Dir), "chdir", "", "run in the directory `DIR`")
	_ = root.MarkPersistentFlagDirname("chdir") // fails for no flag only
	root.PersistentFlags().BoolVar(&a.noColor, "no-color", false, "disable color, even if the environment asks for it")
	root.Flags().Bool("version", false, "print the version")
	root.SetVersionTemplate("hew {{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(usage.FlagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return usage.CheckNoEmptyFlags(cmd) }
	root.SetHelpFunc(usage.PrintHelp)
	root.SetHelpCommand(usage.HelpCommand())
	for _, cmd := range []*cobra.Command{
		a.initCommand(), a.validateCommand(), a.fmtCommand(), a.planCommand(), a.applyCommand(), a.driftCommand(),
		a.destroyCommand(),
		a.showCommand(), a.outputCommand(), a.consoleCommand(), a.graphCommand(), a.pullCommand(), a.ledgerCommand(),
		a.schemaCommand(),
		a.docsCommand(), a.completionCommand(), a.versionCommand(),
	} {
		root.AddCommand(cmd)
	}
	return root
}

// console returns a stream of this run with the color and width that it takes.
func (a *app) console(w io.Writer) view.Console {
	color := !a.noColor && !toFile(w) && view.Colored(a.Environ, view.SinkOf(w, a.tty))
	return view.Console{Writer: w, Paint: view.Paint(color), Width: view.WidthOf(w)}
}

// startProgress starts the progress line of a piece of work: on a terminal, unless a log goes
// there, and not in one of several directories, which have a line together.
func (a *app) startProgress() (p *progress.Line, stop func()) {
	p, stop = progress.Off(a.now), func() {}
	if a.Shared == nil && a.tty(a.err) && !a.logging() {
		p, stop = progress.Start(a.err, a.now)
	}
	a.progress = p
	return p, stop
}

// printSilence prints that the host does not answer, on a terminal or not.
func (a *app) printSilence(s client.Silence) {
	print := func() { fmt.Fprintln(a.err, s) }
	if a.progress == nil {
		print()
		return
	}
	a.progress.Print(print)
}
