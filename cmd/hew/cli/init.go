package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "init",
		Short:  "Not needed: there is nothing to initialise",
		Hidden: true,
		Args:   cobra.ArbitraryArgs,
		// terraform init has flags; nobody is to learn which of them are wrong
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, "hew needs no init: there is nothing to download, and the first apply makes the ledger. Go on with hew validate, then hew plan.")
			return err
		},
	}
}
