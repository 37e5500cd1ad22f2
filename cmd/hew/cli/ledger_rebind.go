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
		Short: "Bind the ledger to the current host",
		Long: `hew ledger rebind binds the ledger to the host that the configuration or the environment names,
after the host has moved to another address. Do not use it to switch to a different host, where the
same ids belong to other objects.

If the digest key has changed too, hew removes the digests of secrets from the ledger, and the next
apply sends every secret once. hew ledger rebind itself sends nothing to the host.`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, found := a.Load(cmd.Context(), s.Options)
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
			fmt.Fprintf(a.out, "The ledger is bound to %s.\n", host.URL())
			if forgotten > 0 {
				fmt.Fprintf(a.out, "The next apply sends %s again, because the digest key has changed.\n",
					prose.Count(forgotten, "secret"))
			}
			return nil
		},
	}
	s.addLockTimeout(cmd.Flags())
	return cmd
}
