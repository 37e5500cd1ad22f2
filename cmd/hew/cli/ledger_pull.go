package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile/ledger"
	"hew/reconcile/report/prose"
)

func (a *app) ledgerPullCommand(s *settings) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Print the whole ledger",
		Long: `hew ledger pull prints the whole ledger, from any backend, in the format of a ledger file. It holds
no secrets.

To move a ledger to another backend, pull it, change the ledger block, and push it.`,
		Example: "  hew ledger pull -o ledger.json\n" +
			"  hew ledger push ledger.json    # after the ledger block has changed",
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, led, err := a.ledger(cmd.Context(), s)
			if err != nil {
				return err
			}
			text, err := ledger.Encode(led)
			if err != nil {
				return err
			}
			if file == "" {
				_, err = a.out.Write(text)
				return err
			}
			if err := a.Dir.WriteFile(file, text); err != nil {
				return fmt.Errorf("the ledger cannot be written: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&file, "o", "o", "", "write the ledger to `FILE`")
	return cmd
}

func (a *app) ledgerPushCommand(s *settings) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "push FILE",
		Short: "Replace the whole ledger",
		Long: `hew ledger push stores the output of hew ledger pull, or a ledger file, in the backend of the ledger
block. FILE is - for standard input. hew refuses to replace a ledger with an unrelated one, an older
one, or one of another host.

Keep the digest key: set HEW_LEDGER_KEY to the key of the old backend. For a ledger in a file, it is
in .hew/key.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%s takes a file written by hew ledger pull, or - for standard input.\n%s",
					cmd.CommandPath(), usage.SeeHelp(cmd))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.readLedgerFile(args[0])
			if err != nil {
				return fmt.Errorf("the ledger cannot be read: %w", err)
			}
			led, err := ledger.Decode(args[0], text)
			if err != nil {
				return err
			}
			backend, found := a.LoadBackend(cmd.Context(), s.Options)
			view.WriteDiagnostics(found, a.console(a.err))
			if found.HasErrors() {
				return failed
			}
			damaged, err := ledger.Push(cmd.Context(), backend, a.Who(), led, force)
			if err != nil {
				return err
			}
			replaced := ""
			if damaged != nil {
				replaced = ", and replaces a damaged one: " + prose.Clean(damaged.What)
			}
			fmt.Fprintf(a.out, "The ledger is stored with %s%s.\n", prose.Count(len(led.Entries), "entry",
				"entries"), replaced)
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace the stored ledger without these checks")
	s.addLockTimeout(cmd.Flags())
	return cmd
}

// readLedgerFile reads the text of a ledger, from standard input for -.
func (a *app) readLedgerFile(file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(a.in)
	}
	return os.ReadFile(a.Path(file))
}
