package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "init",
		Short:  "Not needed: there is nothing to initialize",
		Hidden: true,
		Args:   cobra.ArbitraryArgs,
		// accept all flags of terraform init
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, "hew needs no init: there is nothing to download, and the first apply "+
				"creates the ledger. Run hew validate, then hew plan.")
			return err
		},
	}
}
