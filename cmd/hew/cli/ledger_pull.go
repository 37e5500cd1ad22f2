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
		Long: "hew ledger pull prints the whole ledger, wherever it is kept, as the text that a ledger file has. There is no secret in\n" +
			"it. Together with hew ledger push it moves a ledger: pull it, change the ledger block, push it.",
		Example: "  hew ledger pull -o ledger.json\n" +
			"  hew ledger push ledger.json    # once the ledger block says where to",
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
			if err := os.WriteFile(a.Path(file), text, 0o644); err != nil {
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
		Short: "Store a whole ledger in place of the one that there is",
		Long: "hew ledger push stores what hew ledger pull has printed, or a ledger file, where the ledger block says; - reads it from\n" +
			"standard input. It refuses another ledger than the one that is stored there, an older one, and one of another host. The\n" +
			"digest key goes with a ledger: set HEW_LEDGER_KEY to what it is where the ledger was, which may be the file .hew/key.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%s takes a file that hew ledger pull has written, or - for standard input.\n%s", cmd.CommandPath(), usage.SeeHelp(cmd))
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
			backend, found := a.LoadBackend(s.Options)
			view.WriteDiagnostics(found, a.console(a.err))
			if found.HasErrors() {
				return failed
			}
			over, err := ledger.Push(cmd.Context(), backend, a.Who(), led, force)
			if err != nil {
				return err
			}
			instead := ""
			if over != nil {
				instead = ", in the place of one that was damaged: " + prose.Clean(over.What)
			}
			fmt.Fprintf(a.out, "The ledger is stored, with %s%s.\n", prose.Count(len(led.Entries), "entry", "entries"), instead)
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "store it in place of whatever there is")
	s.addLockTimeout(cmd.Flags())
	return cmd
}

// pulled is the text of a ledger: of a file, or of standard input for -.
func (a *app) readLedgerFile(file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(a.in)
	}
	return os.ReadFile(a.Path(file))
}
