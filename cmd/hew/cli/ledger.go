package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"hew/cmd/hew/session"
	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
)

func (a *app) ledgerCommand() *cobra.Command {
	s := settings{Options: session.Options{Partial: true}}
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Print and change the ledger",
		Long: `The ledger records the objects that hew manages, and digests of the values that it set. It holds
no secrets and no copies of the host's objects. These commands do not need the host.`,
		Args: usage.NoSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	s.addVariables(a, cmd, cmd.PersistentFlags())
	cmd.AddCommand(a.ledgerListCommand(&s), a.ledgerShowCommand(&s), a.ledgerMvCommand(&s), a.ledgerRmCommand(&s),
		a.ledgerRebindCommand(&s),
		a.ledgerPullCommand(&s), a.ledgerPushCommand(&s), a.ledgerUnlockCommand(&s))
	return cmd
}

// addressArgs accepts one address or more.
func addressArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return fmt.Errorf("%s takes the address of an object, or several; hew ledger list prints them.\n%s",
		cmd.CommandPath(), usage.SeeHelp(cmd))
}

func (a *app) ledgerListCommand(s *settings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print the addresses of all managed objects",
		Args:  usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, led, err := a.ledger(cmd.Context(), s)
			if err != nil {
				return err
			}
			if asJSON {
				return report.WriteJSON(a.out, entriesOf(led, led.Sorted()))
			}
			for _, at := range led.Sorted() {
				fmt.Fprintln(a.out, at)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print all entries as JSON")
	return cmd
}

func (a *app) ledgerShowCommand(s *settings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "show ADDRESS...",
		Short:             "Print entries of the ledger",
		Args:              addressArgs,
		ValidArgsFunction: a.completeEntries(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, led, err := a.ledger(cmd.Context(), s)
			if err != nil {
				return err
			}
			found, err := findEntries(led, args)
			if err != nil {
				return err
			}
			if asJSON {
				return report.WriteJSON(a.out, entriesOf(led, found))
			}
			for _, at := range found {
				a.showEntry(at, led.Entries[at])
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) ledgerRmCommand(s *settings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rm ADDRESS...",
		Short: "Remove objects from the ledger, not from the host",
		Long: `hew ledger rm removes objects from the ledger. They stay on the host, and the next apply adopts
those that the configuration still declares. The address of a block removes all its objects.`,
		Args:              addressArgs,
		ValidArgsFunction: a.completeEntries(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeLedger(cmd.Context(), s, func(led *ledger.Ledger) (deltas []ledger.Delta, lines []string,
				err error) {
				found, err := findEntries(led, args)
				for _, at := range found {
					deltas = append(deltas, led.Remove(at))
					lines = append(lines, fmt.Sprintf("removed %s", at))
				}
				return deltas, lines, err
			})
		},
	}
	s.addLockTimeout(cmd.Flags())
	return cmd
}

// changeLedger changes the ledger under its lock, by all deltas that change returns or none, and
// prints the lines that it returns.
func (a *app) changeLedger(
	ctx context.Context, s *settings, change func(*ledger.Ledger) (deltas []ledger.Delta, lines []string, err error),
) (err error) {
	backend, _, err := a.ledger(ctx, s)
	if err != nil {
		return err
	}
	unlock, err := backend.Lock(ctx, a.Who())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	led, err := backend.Load(ctx) // again, now that it is locked
	if err != nil {
		return err
	}
	deltas, lines, err := change(led)
	if err != nil {
		return err
	}
	if err := errors.Join(backend.Append(ctx, deltas...), backend.Compact(ctx)); err != nil {
		return err
	}
	for _, line := range lines {
		fmt.Fprintln(a.out, line)
	}
	return nil
}

// ledger loads the ledger of the configuration.
func (a *app) ledger(ctx context.Context, s *settings) (ledger.Backend, *ledger.Ledger, error) {
	backend, found := a.LoadBackend(ctx, s.Options)
	view.WriteDiagnostics(found, a.console(a.err))
	if found.HasErrors() {
		return nil, nil, failed
	}
	led, err := backend.Load(ctx)
	for _, n := range backend.Notes() {
		a.console(a.err).Paragraph(0, "Note: "+n)
	}
	return backend, led, err
}

// findEntries returns the entries that addresses name: one object, or all objects of a block or
// set. It fails if an address names none.
func findEntries(led *ledger.Ledger, args []string) ([]addr.Instance, error) {
	all := led.Sorted()
	var found []addr.Instance
	for _, arg := range args {
		n := len(found)
		for _, at := range all {
			if contains(at, arg) && !slices.Contains(found, at) {
				found = append(found, at)
			}
		}
		if len(found) > n || slices.ContainsFunc(found, func(at addr.Instance) bool { return contains(at, arg) }) {
			continue
		}
		return nil, unknownEntry(led, arg)
	}
	return found, nil
}

// contains reports whether a typed address names an instance, or its set, block or module.
func contains(at addr.Instance, typed string) bool {
	i, err := addr.Parse(typed)
	return err == nil && i.Contains(at)
}

// completeEntries completes addresses of the ledger.
func (a *app) completeEntries(s *settings) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, at := range a.entries(cmd.Context(), s) {
			names = append(names, at.String())
		}
		return usage.WithPrefix(names, typed, args...), usage.NoFiles
	}
}

// entries returns the addresses of the ledger, or nil if it cannot be read.
func (a *app) entries(ctx context.Context, s *settings) []addr.Instance {
	offline := *s
	offline.Partial = true
	backend, found := a.LoadBackend(ctx, offline.Options)
	if backend == nil || found.HasErrors() {
		return nil
	}
	led, err := backend.Load(ctx)
	if err != nil {
		return nil
	}
	return led.Sorted()
}
