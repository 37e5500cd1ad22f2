package usage

import (
	"slices"

	"github.com/spf13/cobra"
)

// HelpCommand returns hew help COMMAND. Unlike cobra's own it fails for an unknown command.
func HelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]...",
		Short:  "Print the description and the flags of a command",
		Hidden: true,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			about, err := findCommand(cmd.Root(), args)
			if err != nil {
				return nil, NoFiles
			}
			var names []string
			for _, sub := range about.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name())
				}
			}
			return WithPrefix(names, typed), NoFiles
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, err := findCommand(cmd.Root(), args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// findCommand returns the command at a path of names below cmd.
func findCommand(cmd *cobra.Command, path []string) (*cobra.Command, error) {
	for i, name := range path {
		subs := cmd.Commands()
		n := slices.IndexFunc(subs, func(sub *cobra.Command) bool { return sub.Name() == name })
		if n < 0 {
			return nil, NoSubcommand(cmd, path[i:])
		}
		cmd = subs[n]
	}
	return cmd, nil
}
