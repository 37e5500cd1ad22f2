package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile/ledger"
	"hew/reconcile/report/prose"
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
				return fmt.Errorf("%s takes the ID of one lock, and %q was given as well.\n%s", cmd.CommandPath(), args[1], usage.SeeHelp(cmd))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			backend, found := a.LoadBackend(s.Options)
			view.WriteDiagnostics(found, a.console(a.err))
			if found.HasErrors() {
				return failed
			}
			// Whoever can take the lock knows that nobody has it.
			unlock, err := backend.Lock(cmd.Context(), a.Who())
			if err == nil {
				fmt.Fprintln(a.out, "The ledger is not locked.")
				return unlock()
			}
			var locked *ledger.LockedError
			if !errors.As(err, &locked) {
				return err
			}
			return a.freeLock(cmd.Context(), backend, locked, append(args, "")[0], force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "do not ask")
	return cmd
}

// free frees a lock, or the one of that ID, once it is sure that this is meant.
func (a *app) freeLock(ctx context.Context, backend ledger.Backend, locked *ledger.LockedError, id string, force bool) error {
	switch {
	case locked.ID == "" && !locked.Stays:
		return ledger.ForceUnlock(ctx, backend, id) // which says why it cannot
	case id != "" && locked.ID != "" && id != locked.ID:
		return fmt.Errorf("the lock %s is not there: %w", id, locked)
	}
	name, holder := strings.Join(append([]string{"lock"}, prose.NonEmpty(prose.Clean(cmp.Or(locked.ID, id)))...), " "), prose.Clean(locked.Holder.String())
	if !force {
		if !a.tty(a.in) {
			return fmt.Errorf("hew ledger unlock asks before it frees a lock, and standard input is not a terminal. "+
				"Make sure that the run is no more, then pass -force: %w", locked)
		}
		if !a.confirm(ctx, fmt.Sprintf("The ledger is locked by %s. Is that run no more, and its %s to be freed?", holder, name)) {
			return failed
		}
	}
	if err := ledger.ForceUnlock(ctx, backend, cmp.Or(locked.ID, id)); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "The %s of %s is free.\n", name, holder)
	return nil
}
