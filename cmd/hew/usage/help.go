// Package usage is the command line as people type and read it: flags with one dash, help pages,
// completion, and errors that suggest what was meant. It knows no command of hew.
package usage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/reconcile/report/prose"
)

// PrintHelp prints the help page of a command: description, flags with one dash, examples.
func PrintHelp(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	fmt.Fprintf(w, "%s\n\nUsage: %s %s\n", about, cmd.CommandPath(), Operands(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-12s%s\n", sub.Name(), sub.Short)
			}
		}
	}
	fmt.Fprint(w, flagTable("\nFlags:\n", cmd.LocalNonPersistentFlags()))
	fmt.Fprint(w, flagTable("\nFlags of every command:\n", CommonFlags(cmd)))
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
}

// flagTable returns a title and a line for each visible flag, or "" if there are none.
func flagTable(title string, set *pflag.FlagSet) string {
	var b strings.Builder
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		spelled, description := SpellFlag(f)
		fmt.Fprintf(&b, "  %s%s\n", prose.Pad(spelled, 2, 26), description)
	})
	if b.Len() == 0 {
		return ""
	}
	return title + b.String()
}
