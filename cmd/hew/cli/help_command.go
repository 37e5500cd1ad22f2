package cli

import (
	"slices"

	"github.com/spf13/cobra"
)

// helpCommand is hew help COMMAND; cobra's own is content with names that it
// does not know.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]...",
		Short:  "Print what a command does and which flags it has",
		Hidden: true,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			about, err := below(cmd.Root(), args)
			if err != nil {
				return nil, nothingElse
			}
			var names []string
			for _, sub := range about.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name())
				}
			}
			return beginning(names, typed), nothingElse
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, err := below(cmd.Root(), args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// below finds a command by its path.
func below(cmd *cobra.Command, path []string) (*cobra.Command, error) {
	for i, name := range path {
		subs := cmd.Commands()
		n := slices.IndexFunc(subs, func(sub *cobra.Command) bool { return sub.Name() == name })
		if n < 0 {
			return nil, subcommand(cmd, path[i:])
		}
		cmd = subs[n]
	}
	return cmd, nil
}
