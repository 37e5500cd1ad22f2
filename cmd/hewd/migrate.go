package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/server"
)

func migrateCommand(getenv func(string) string) *cobra.Command {
	var c server.Config
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Apply missing migrations to the database",
		Long: `Apply missing migrations to the database, and stop.

"hewd serve" does this itself. Run it separately if a deployment migrates
before it starts servers.

Exits 0 if the schema is up to date; 1 if the database cannot be reached, has
migrations that this hewd does not know, or a migration failed.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.Migrate(cmd.Context(), c); err != nil {
				return err
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "The schema is up to date.")
			return err
		},
	}
	settings{cmd, getenv}.database(&c)
	return cmd
}
