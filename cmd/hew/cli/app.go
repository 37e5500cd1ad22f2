package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hew/cmd/hew/view"
	"hew/provider"
	"hew/reconcile/config"
	"hew/reconcile/report"
	"hew/schema"
)

// app is one run of the program: its streams, its environment, and the flags
// that every command knows.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      map[string]string
	now      func() time.Time
	version  string
	offline  *provider.Provider // of all that can be declared, without a host
	// tty tells whether a stream leads to a person; open connects a
	// configuration with its host. Tests bring their own.
	tty  func(stream any) bool
	open func(context.Context, *app, settings) (session, report.Diagnostics)

	// variables reads a -var-file; nil reads it where it is.
	variables func(path string) ([]byte, error)

	together *directories  // of a run in several directories
	lines    *bufio.Reader // of in, once somebody reads lines
	answers  []config.Var  // what a person has given for variables, who is asked once
	dir      string        // -chdir
	noColor  bool
}

// kinds returns all that can be declared.
func (a *app) kinds() schema.Catalog { return a.offline.Kinds() }

// exit ends a run with a code, everything having been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// The exit codes.
const (
	failed  exit = 1 // an error, a guard, or something that could not be planned or done
	differs exit = 2 // drift, or changes with -detailed-exitcode
)

func (a *app) run(ctx context.Context, args []string) int {
	out := &view.Stream{Writer: a.out}
	a.out = out
	root := a.root()
	root.SetArgs(normalize(root, args))
	if completing(args) {
		root.SetOut(offered{a.out, halfFlag(args)})
	}
	err := root.ExecuteContext(ctx)
	var code exit
	if out.Err != nil && (err == nil || errors.As(err, &code)) {
		err = fmt.Errorf("the answer cannot be written: %w", out.Err)
	}
	if err != nil && !errors.As(err, &code) {
		code = failed
		a.console(a.err).Paragraph(0, "Error: "+err.Error())
	}
	if ctx.Err() != nil {
		code = failed // an interrupt is never a clean end
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
		Use:           "hew",
		Short:         "Keep a GitLab-compatible host as configuration says",
		Long:          "hew compares configuration with a GitLab-compatible host, shows what differs and why, and applies it.",
		Version:       a.version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          subcommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().StringVar(&a.dir, "chdir", "", "work in `DIR`, where the configuration is")
	_ = root.MarkPersistentFlagDirname("chdir") // it is there
	root.PersistentFlags().BoolVar(&a.noColor, "no-color", false, "no colour, as with NO_COLOR")
	root.Flags().Bool("version", false, "print the version")
	root.SetVersionTemplate("hew {{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return noEmptyFlags(cmd) }
	root.SetHelpFunc(help)
	root.SetHelpCommand(helpCommand())
	for _, cmd := range []*cobra.Command{
		a.initCommand(), a.validateCommand(), a.fmtCommand(), a.planCommand(), a.applyCommand(), a.driftCommand(), a.destroyCommand(), a.showCommand(),
		a.outputCommand(), a.consoleCommand(), a.graphCommand(), a.pullCommand(), a.ledgerCommand(), a.schemaCommand(), a.docsCommand(), a.completionCommand(), a.versionCommand(),
	} {
		root.AddCommand(cmd)
	}
	return root
}

// path is where a file named by the user is: -chdir moves the whole run, to
// where a link leads.
func (a *app) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	dir := a.dir
	if real, err := filepath.EvalSymlinks(dir); err == nil && !filepath.IsLocal(name) {
		dir = real
	}
	return filepath.Join(dir, name)
}

// lookup is os.LookupEnv for the environment of this run.
func (a *app) lookup(name string) (string, bool) {
	v, ok := a.env[name]
	return v, ok
}

// console is how a stream of this run is written to.
func (a *app) console(w io.Writer) view.Console {
	return view.Console{Writer: w, Paint: view.Paint(!a.noColor && view.Coloured(a.env, a.tty(w))), Width: view.WidthOf(w)}
}
