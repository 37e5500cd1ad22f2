package main

import (
	"fmt"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/cmd/manual"
)

// Packages take the page from the repository. make verify fails if it is stale.
//
//go:generate go run . man -out=man/hewd.8

// manCommand prints the manual: one page for all commands.
func manCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Example: "  hewd man | man -l -",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page := manPage(newRoot(func(string) string { return "" })) // without the environment of this run
			if out != "" {
				return os.WriteFile(out, []byte(page), 0o644)
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), page)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write it to `FILE` (default standard output)")
	return cmd
}

// manPage returns hewd.8.
func manPage(hewd *cobra.Command) string {
	var p manual.Page
	p.Title("hewd", "8", "hew")
	p.Section("NAME")
	p.Text("hewd - " + strings.ToLower(hewd.Short[:1]) + hewd.Short[1:])
	p.Section("SYNOPSIS")
	for i, cmd := range documentedCommands(hewd) {
		if i > 0 {
			p.Line(".br")
		}
		p.Line(`\fB%s\fR [\fIflags\fR]`, manual.Escape(cmd.CommandPath()))
	}
	p.Section("DESCRIPTION")
	p.Help(hewd.Long)
	p.Section("COMMANDS")
	for _, cmd := range documentedCommands(hewd) {
		p.Subsection(cmd.CommandPath())
		about := cmd.Long
		if about == "" {
			about = cmd.Short + "."
		}
		p.Help(about)
		for name, is := range flags(cmd) {
			p.Item(name, is)
		}
		if cmd.Example != "" {
			p.Verbatim(cmd.Example)
		}
	}
	p.List("ENVIRONMENT", variables(hewd))
	p.List("FILES", pairs(files))
	p.List("SIGNALS", pairs(signals))
	p.List("EXIT STATUS", pairs(exits))
	p.Section("SEE ALSO")
	p.Line(`\fBhew\fR(1), \fBsystemctl\fR(1), \fBpg_dump\fR(1)`)
	return p.String()
}

var (
	files = [][2]string{
		{"/etc/hewd/hewd.env", "Environment of the service that the package installs."},
		{"/var/lib/hewd", "Data directory of that service."},
		{"./.hewd", "Default data directory: the private Postgres and the key file."},
	}
	signals = [][2]string{
		{"SIGTERM, SIGINT", "Stop: running requests and jobs may finish. A second signal stops hewd at once."},
	}
	exits = [][2]string{
		{"0", "The command succeeded. Of hewd serve: it was stopped and all running requests finished."},
		{"1", "The command failed; the reason is on standard error. Of hewd health: the server is not ready."},
	}
)

func pairs(list [][2]string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, pair := range list {
			if !yield(pair[0], pair[1]) {
				return
			}
		}
	}
}

// documentedCommands returns the commands of hewd that do something, without those that cobra adds.
func documentedCommands(hewd *cobra.Command) (own []*cobra.Command) {
	for _, cmd := range hewd.Commands() {
		switch {
		case cmd.Name() == "help", cmd.Name() == "completion":
		case cmd.HasSubCommands():
			own = append(own, documentedCommands(cmd)...)
		default:
			own = append(own, cmd)
		}
	}
	return own
}

// variables returns the environment that hewd reads, and what each variable is for. Every variable
// but notifySocket belongs to a flag of serve.
func variables(hewd *cobra.Command) iter.Seq2[string, string] {
	return func(yield func(name, is string) bool) {
		serve, _, err := hewd.Find([]string{"serve"})
		if err != nil {
			panic(err)
		}
		on := true
		serve.Flags().VisitAll(func(f *pflag.Flag) {
			for _, name := range f.Annotations[fromEnvironment] {
				_, is := spelling(f)
				on = on && yield(name, strings.Replace(is, " ["+name+"]", "", 1)+" The flag --"+f.Name+" overrides it.")
			}
		})
		if on {
			yield(notifySocket, "Socket of the service manager to notify about start and stop. systemd sets it.")
		}
	}
}

// flags returns the flags of a command as they are typed, and what each is for.
func flags(cmd *cobra.Command) iter.Seq2[string, string] {
	return func(yield func(name, is string) bool) {
		on := true
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if on && f.Name != "help" {
				on = yield(spelling(f))
			}
		})
	}
}

// spelling returns how a flag is typed, with its value, and what it is for.
func spelling(f *pflag.Flag) (typed, is string) {
	kind, is := pflag.UnquoteUsage(f)
	typed = "--" + f.Name
	if kind != "" {
		typed += "=" + kind
	}
	if kind != "" && f.DefValue != "" {
		is += " (default " + f.DefValue + ")"
	}
	return typed, strings.ToUpper(is[:1]) + is[1:] + "."
}
