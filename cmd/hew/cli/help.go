package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/cmd/hew/docs"
	"hew/reconcile/report/prose"
)

// help prints a command's page: flags as people type them, with one dash.
func help(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	fmt.Fprintf(w, "%s\n\nUsage: %s %s\n", about, cmd.CommandPath(), docs.Operands(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-12s%s\n", sub.Name(), sub.Short)
			}
		}
	}
	flags(cmd.LocalNonPersistentFlags(), "\nFlags:\n", w.Write)
	flags(docs.CommonFlags(cmd), "\nFlags of every command:\n", w.Write)
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
		spelled, usage := docs.Spelling(f)
		fmt.Fprintf(&b, "  %s%s\n", prose.Pad(spelled, 2, 26), usage)
	})
	if b.Len() > 0 {
		write([]byte(title + b.String()))
	}
}
