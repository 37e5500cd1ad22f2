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
		Short: "Release a lock that was left behind",
		Long: `hew ledger unlock releases the lock that a run left behind. Stop that run first, if it hangs. A run
that continues without its lock cannot write to the ledger, so its changes are not recorded.

In an http backend, the lock of a killed run remains. A Postgres lock ends with its connection, and
a file lock with its process. A run that cannot get the lock prints the LOCK_ID.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s takes the ID of one lock, but also got %q.\n%s", cmd.CommandPath(), args[1],
					usage.SeeHelp(cmd))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			backend, found := a.LoadBackend(cmd.Context(), s.Options)
			view.WriteDiagnostics(found, a.console(a.err))
			if found.HasErrors() {
				return failed
			}
			// If the lock can be taken, nobody holds it.
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
	cmd.Flags().BoolVar(&force, "force", false, "release without asking")
	return cmd
}

// freeLock releases a lock, of that ID unless it is "", after asking.
func (a *app) freeLock(
	ctx context.Context, backend ledger.Backend, locked *ledger.LockedError, id string, force bool,
) error {
	switch {
	case locked.ID == "" && !locked.OutlivesHolder:
		return ledger.ForceUnlock(ctx, backend, id) // fails with the reason
	case id != "" && locked.ID != "" && id != locked.ID:
		return fmt.Errorf("the ledger has no lock %s: %w", id, locked)
	}
	name, holder := strings.Join(append([]string{"lock"}, prose.NonEmpty(prose.Clean(cmp.Or(locked.ID, id)))...),
		" "), prose.Clean(locked.Holder.String())
	if !force {
		if !a.tty(a.in) {
			return fmt.Errorf("hew ledger unlock asks for approval, but standard input is not a terminal. "+
				"Make sure that the run has ended, then pass -force: %w", locked)
		}
		if !a.confirm(ctx, fmt.Sprintf("The ledger is locked by %s. Has that run ended, and do you want to "+
			"release its %s?", holder, name)) {
			return failed
		}
	}
	if err := ledger.ForceUnlock(ctx, backend, cmp.Or(locked.ID, id)); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "Released the %s of %s.\n", name, holder)
	return nil
}
