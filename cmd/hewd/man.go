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

// The page is part of the repository, from where packages take it. verify fails where it is stale.
//
//go:generate go run . man -out=man/hewd.8

// manCommand prints the manual, which is one page for all commands.
func manCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "man",
		Short:   "Print the manual, for man",
		Example: "  hewd man | man -l -",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// The root anew, without this run's environment: what is set here is nobody else's default.
			page := manPage(root(func(string) string { return "" }))
			if out != "" {
				return os.WriteFile(out, []byte(page), 0o644)
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), page)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`file` to write it to")
	return cmd
}

// manPage is hewd.8.
func manPage(hewd *cobra.Command) string {
	var p manual.Page
	p.Title("hewd", "8", "hew")
	p.Section("NAME")
	p.Text("hewd - " + strings.ToLower(hewd.Short[:1]) + hewd.Short[1:])
	p.Section("SYNOPSIS")
	for i, cmd := range commands(hewd) {
		if i > 0 {
			p.Line(".br")
		}
		p.Line(`\fB%s\fR [\fIflags\fR]`, manual.Escape(cmd.CommandPath()))
	}
	p.Section("DESCRIPTION")
	p.Help(hewd.Long)
	p.Section("COMMANDS")
	for _, cmd := range commands(hewd) {
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
		{"/etc/hewd/hewd.env", "The environment of the service hewd, where it was installed as a package."},
		{"/var/lib/hewd", "The data directory of that service."},
		{"./.hewd", "The data directory of any other hewd, where none is given: the private Postgres, if it runs one, and the key file."},
	}
	signals = [][2]string{
		{"SIGTERM, SIGINT", "Stop in order. A second one stops at once."},
	}
	exits = [][2]string{
		{"0", "It has done what it was asked, or was stopped in order."},
		{"1", "It could not, and says why on standard error. Of hewd health: the server takes no requests."},
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

// commands are those that somebody wrote; cobra adds its own.
func commands(hewd *cobra.Command) (own []*cobra.Command) {
	for _, cmd := range hewd.Commands() {
		if cmd.Name() != "help" && cmd.Name() != "completion" {
			own = append(own, cmd)
		}
	}
	return own
}

// variables are all that is read from the environment. Whatever has one is a flag of serve.
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
				on = on && yield(name, strings.Replace(is, " ["+name+"]", "", 1)+" The flag --"+f.Name+" wins over it.")
			}
		})
		if on {
			yield(notifySocket, "The socket of a service manager, which is told there that requests are served, and that the server stops. systemd sets it.")
		}
	}
}

// flags are those of a command, as they are typed, and what each is for.
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

// spelling is how a flag is typed, with what it takes, and what it is for.
func spelling(f *pflag.Flag) (typed, is string) {
	kind, is := pflag.UnquoteUsage(f)
	typed = "--" + f.Name
	if kind != "" {
		typed += "=" + kind
	}
	if kind != "" && f.DefValue != "" {
		is += " (default: " + f.DefValue + ")"
	}
	return typed, strings.ToUpper(is[:1]) + is[1:] + "."
}
