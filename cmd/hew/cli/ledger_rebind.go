package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile/ledger"
	"hew/reconcile/report/prose"
)

func (a *app) ledgerRebindCommand(s *settings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rebind",
		Short: "Have the ledger belong to the host of this run",
		Long: "hew ledger rebind has the ledger belong to the host that this configuration and environment name, because that host has\n" +
			"moved to another address. Ids of one host mean other objects on another: use it for nothing else. Where the digest key\n" +
			"is a new one, the digests of secrets are forgotten, and the next apply sends each secret once more. Nothing is sent now.",
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, found := a.Load(s.Options)
			if found.HasErrors() {
				view.WriteDiagnostics(found, a.console(a.err))
				return failed
			}
			host, diags := a.Host(cfg, s.Options)
			found.Diagnostics = append(found.Diagnostics, diags...)
			backend, diags := a.Backend(cfg, s.Options)
			found.Diagnostics = append(found.Diagnostics, diags...)
			view.WriteDiagnostics(found, a.console(a.err))
			if found.HasErrors() {
				return failed
			}
			forgotten, err := ledger.Rebind(cmd.Context(), backend, host.URL())
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "The ledger belongs to %s now.\n", host.URL())
			if forgotten > 0 {
				fmt.Fprintf(a.out, "The next apply sends %s once more: the digest key is another.\n", prose.Count(forgotten, "secret"))
			}
			return nil
		},
	}
	s.addLockTimeout(cmd.Flags())
	return cmd
}
