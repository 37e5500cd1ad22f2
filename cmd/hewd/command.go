package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newRoot returns the command line. Settings can come from the
// environment; flags win.
func newRoot(getenv func(string) string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hewd",
		Short: "Serve a GitLab-compatible REST API from Postgres",
		Long: `hewd serves a GitLab-compatible REST API (version 4) from Postgres.

Without any settings, "hewd serve" starts a private Postgres in ./.hewd, creates
the administrator root, prints its token once, and listens on 127.0.0.1:8080.

Exits 0 if the command succeeded; 1 if it failed, with the reason on standard
error.`,
		DisableFlagsInUseLine: true,
		SilenceUsage:          true,
		SilenceErrors:         true,
		Version:               versionText(),
		Args:                  unknownCommand,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetVersionTemplate("hewd {{.Version}}\n") // what "hewd version" prints
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetHelpCommand(helpCommand())
	cmd.AddCommand(serveCommand(getenv), migrateCommand(getenv), backupCommand(getenv), restoreCommand(getenv),
		blobCommand(getenv), healthCommand(getenv), manCommand(), versionCommand())
	return cmd
}

// doubleDashes returns args with two dashes before each long flag that was typed with one, as hew's
// flags are: pflag reads -help as -h -e -l -p. An argument that is not the name of a flag stays as
// it is, since it may be a value.
func doubleDashes(cmd *cobra.Command, args []string) []string {
	known := map[string]bool{"help": true, "version": true}
	for _, sub := range append(documentedCommands(cmd), cmd.Commands()...) {
		sub.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	}
	args = slices.Clone(args)
	for i, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && known[name] {
			args[i] = "-" + arg
		}
	}
	return args
}
