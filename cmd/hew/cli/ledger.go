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
		Short: "Look at what hew manages, or have it forget",
		Long: "The ledger holds the identity of what hew manages and digests of what it set: no secret and no copy of the host.\n" +
			"These commands work without the host.",
		Args: usage.NoSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	s.addVariables(a, cmd, cmd.PersistentFlags())
	cmd.AddCommand(a.ledgerListCommand(&s), a.ledgerShowCommand(&s), a.ledgerMvCommand(&s), a.ledgerRmCommand(&s), a.ledgerRebindCommand(&s),
		a.ledgerPullCommand(&s), a.ledgerPushCommand(&s), a.ledgerUnlockCommand(&s))
	return cmd
}

// addressArgs accepts one address or more.
func addressArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return fmt.Errorf("%s takes the address of an object, or several; hew ledger list prints them.\n%s", cmd.CommandPath(), usage.SeeHelp(cmd))
}

func (a *app) ledgerListCommand(s *settings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print the addresses of what hew manages",
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON, with what is known of each")
	return cmd
}

func (a *app) ledgerShowCommand(s *settings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "show ADDRESS...",
		Short:             "Print what the ledger knows of an object",
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

func (a *app) ledgerRmCommand(s *settings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rm ADDRESS...",
		Short: "Have hew forget objects; the host keeps them",
		Long: "hew ledger rm takes objects out of the ledger. The host keeps them, and what the configuration still declares is\n" +
			"adopted again by the next apply. A block's address stands for all its objects.",
		Args:              addressArgs,
		ValidArgsFunction: a.completeEntries(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeLedger(cmd.Context(), s, func(led *ledger.Ledger) (deltas []ledger.Delta, said []string, err error) {
				found, err := findEntries(led, args)
				for _, at := range found {
					deltas = append(deltas, led.Remove(at))
					said = append(said, fmt.Sprintf("forgot %s", at))
				}
				return deltas, said, err
			})
		},
	}
	s.addLockTimeout(cmd.Flags())
	return cmd
}

// rewrite changes the ledger under its lock: by all that change returns, or by
// nothing. What was done is printed.
func (a *app) changeLedger(ctx context.Context, s *settings, change func(*ledger.Ledger) (deltas []ledger.Delta, said []string, err error)) (err error) {
	backend, _, err := a.ledger(ctx, s)
	if err != nil {
		return err
	}
	unlock, err := backend.Lock(ctx, a.Who())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	led, err := backend.Load(ctx) // again, now that nobody else writes
	if err != nil {
		return err
	}
	deltas, said, err := change(led)
	if err != nil {
		return err
	}
	if err := errors.Join(backend.Append(ctx, deltas...), backend.Compact(ctx)); err != nil {
		return err
	}
	for _, line := range said {
		fmt.Fprintln(a.out, line)
	}
	return nil
}

// ledger finds and loads the ledger of the configuration.
func (a *app) ledger(ctx context.Context, s *settings) (ledger.Backend, *ledger.Ledger, error) {
	backend, found := a.LoadBackend(s.Options)
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

// pick returns the entries that addresses name: one object, or all of a block
// or of a set. An address that names none is an error, and nothing is done.
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

// named tells whether an address as typed means an instance, or what it is in:
// its set, its block, its module. Both text forms count.
func contains(at addr.Instance, typed string) bool {
	i, err := addr.Parse(typed)
	return err == nil && i.Contains(at)
}

// completeEntries offers the addresses of the ledger.
func (a *app) completeEntries(s *settings) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, at := range a.entries(cmd.Context(), s) {
			names = append(names, at.String())
		}
		return usage.WithPrefix(names, typed, args...), usage.NoFiles
	}
}

// entries are the addresses of the ledger. One that cannot be read has none.
func (a *app) entries(ctx context.Context, s *settings) []addr.Instance {
	offline := *s
	offline.Partial = true
	backend, found := a.LoadBackend(offline.Options)
	if backend == nil || found.HasErrors() {
		return nil
	}
	led, err := backend.Load(ctx)
	if err != nil {
		return nil
	}
	return led.Sorted()
}
