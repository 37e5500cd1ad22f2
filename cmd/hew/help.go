package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// help prints a command's page: flags as people type them, with one dash.
func help(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	fmt.Fprintf(w, "%s\n\nUsage: %s", about, cmd.CommandPath())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, " COMMAND")
	}
	if _, operands, ok := strings.Cut(cmd.Use, " "); ok {
		fmt.Fprintf(w, " [FLAGS] %s", operands)
	} else {
		fmt.Fprint(w, " [FLAGS]")
	}
	fmt.Fprintln(w)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-12s%s\n", sub.Name(), sub.Short)
			}
		}
	}
	flags(cmd.LocalNonPersistentFlags(), "\nFlags:\n", w.Write)
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.AddFlagSet(cmd.PersistentFlags())
	all.AddFlagSet(cmd.InheritedFlags())
	flags(all, "\nFlags of every command:\n", w.Write)
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
}

func flags(set *pflag.FlagSet, title string, write func([]byte) (int, error)) {
	var b strings.Builder
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		spelled, usage := spelling(f)
		fmt.Fprintf(&b, "  %s%s\n", pad(spelled, 2, 26), usage)
	})
	if b.Len() > 0 {
		write([]byte(title + b.String()))
	}
}

// spelling is a flag as people type it, -var=NAME=VALUE, and what it is for.
func spelling(f *pflag.Flag) (spelled, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	spelled = "-" + f.Name
	if value != "" {
		spelled += "=" + value
	}
	return spelled, usage
}
