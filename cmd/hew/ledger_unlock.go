package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hew/reconcile/ledger"
)

func (a *app) ledgerUnlockCommand(s *settings) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "unlock [LOCK_ID]",
		Short: "Free a lock that was left behind",
		Long: "hew ledger unlock frees the lock of a run that is no more, or that hangs. Make sure of that first: of two runs at once,\n" +
			"the one whose lock was freed is refused when it writes the ledger, and what it did on the host meanwhile is not in it. On\n" +
			"a server of states a lock outlasts a run that was killed; in Postgres it ends with its connection, and in a file with\n" +
			"its process. The ID is told to those who are kept out.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s takes the ID of one lock, and %q was given as well.\n%s", cmd.CommandPath(), args[1], seeHelp(cmd))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			backend, found := a.backend(*s)
			found.write(a.console(a.err))
			if found.HasErrors() {
				return failed
			}
			id := append(args, "")[0]
			// Whoever can take the lock knows that nobody has it.
			unlock, err := backend.Lock(cmd.Context(), a.who())
			var locked *ledger.LockedError
			switch {
			case err == nil:
				fmt.Fprintln(a.out, "The ledger is not locked.")
				return unlock()
			case !errors.As(err, &locked):
				return err
			case locked.ID == "":
				return ledger.Free(cmd.Context(), backend, id)
			case id != "" && id != locked.ID:
				return fmt.Errorf("the lock %s is not there: %w", id, err)
			}
			if !force {
				if !a.tty(a.in) {
					return fmt.Errorf("hew ledger unlock asks before it frees a lock, and standard input is not a terminal. "+
						"Make sure that the run is no more, then pass -force: %w", err)
				}
				if !a.confirm(cmd.Context(), fmt.Sprintf("The ledger is locked by %s since %s. Is that run no more, and its lock to be freed?",
					locked.Holder.Who, locked.Holder.Since.Local().Format("2006-01-02 15:04:05"))) {
					return failed
				}
			}
			if err := ledger.Free(cmd.Context(), backend, locked.ID); err != nil {
				return err
			}
			fmt.Fprintf(a.out, "The lock %s is free.\n", locked.ID)
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "do not ask")
	return cmd
}
