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
	fmt.Fprintf(w, "%s\n\nUsage: %s %s\n", about, cmd.CommandPath(), operands(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-12s%s\n", sub.Name(), sub.Short)
			}
		}
	}
	flags(cmd.LocalNonPersistentFlags(), "\nFlags:\n", w.Write)
	flags(commonFlags(cmd), "\nFlags of every command:\n", w.Write)
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
}

// operands are what follows the command's name.
func operands(cmd *cobra.Command) string {
	words := []string{"[FLAGS]"}
	if cmd.HasAvailableSubCommands() {
		words = []string{"COMMAND", "[FLAGS]"}
	}
	if _, rest, ok := strings.Cut(cmd.Use, " "); ok {
		words = append(words, rest)
	}
	return strings.Join(words, " ")
}

// commonFlags are those that a command shares with others.
func commonFlags(cmd *cobra.Command) *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.AddFlagSet(cmd.PersistentFlags())
	all.AddFlagSet(cmd.InheritedFlags())
	return all
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
