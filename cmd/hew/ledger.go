package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
)

func (a *app) ledgerCommand() *cobra.Command {
	s := settings{partial: true}
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Look at what hew manages, or have it forget",
		Long: "The ledger holds the identity of what hew manages and digests of what it set: no secret and no copy of the host.\n" +
			"These commands work without the host.",
		Args: subcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	s.variables(cmd.PersistentFlags())
	cmd.AddCommand(a.ledgerListCommand(&s), a.ledgerShowCommand(&s), a.ledgerRmCommand(&s), a.ledgerRebindCommand(&s))
	return cmd
}

func (a *app) ledgerListCommand(s *settings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print the addresses of what hew manages",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, led, err := a.ledger(cmd.Context(), s)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.out, entriesOf(led, led.Sorted()))
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
		ValidArgsFunction: a.addresses(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, led, err := a.ledger(cmd.Context(), s)
			if err != nil {
				return err
			}
			found, err := pick(led, args)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.out, entriesOf(led, found))
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
		ValidArgsFunction: a.addresses(s),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			backend, _, err := a.ledger(cmd.Context(), s)
			if err != nil {
				return err
			}
			unlock, err := backend.Lock(cmd.Context(), a.who())
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, unlock()) }()
			led, err := backend.Load(cmd.Context()) // again, now that nobody else writes
			if err != nil {
				return err
			}
			found, err := pick(led, args)
			if err != nil {
				return err
			}
			deltas := make([]ledger.Delta, 0, len(found))
			for _, at := range found {
				deltas = append(deltas, ledger.Delta{Addr: at})
			}
			if err := errors.Join(backend.Append(cmd.Context(), deltas...), backend.Compact(cmd.Context())); err != nil {
				return err
			}
			for _, at := range found {
				fmt.Fprintln(a.out, "forgot", at)
			}
			return nil
		},
	}
	s.patience(cmd.Flags())
	return cmd
}

// ledger finds and loads the ledger of the configuration.
func (a *app) ledger(ctx context.Context, s *settings) (ledger.Backend, *ledger.Ledger, error) {
	backend, found := a.backend(*s)
	found.write(a.console(a.err))
	if found.HasErrors() {
		return nil, nil, failed
	}
	led, err := backend.Load(ctx)
	for _, n := range backend.Notes() {
		a.console(a.err).paragraph(0, "Note: "+n)
	}
	return backend, led, err
}

// pick returns the entries that addresses name: one object, or all of a block
// or of a set. An address that names none is an error, and nothing is done.
func pick(led *ledger.Ledger, args []string) ([]addr.Instance, error) {
	all := led.Sorted()
	var found []addr.Instance
	for _, arg := range args {
		n := len(found)
		for _, at := range all {
			if named(at, arg) && !slices.Contains(found, at) {
				found = append(found, at)
			}
		}
		if len(found) > n || slices.ContainsFunc(found, func(at addr.Instance) bool { return named(at, arg) }) {
			continue
		}
		var names []string
		for _, at := range all {
			names = append(names, at.String())
		}
		hint := "; hew ledger list prints what it has"
		if near := nearest(arg, names); near != "" {
			hint = fmt.Sprintf("; did you mean %s?", near)
		}
		return nil, fmt.Errorf("the ledger has no %s%s", arg, hint)
	}
	return found, nil
}

// named tells whether an address as typed means an instance, its set or its
// block. Both text forms of an instance count.
func named(at addr.Instance, typed string) bool {
	exact, _ := at.MarshalText() // addresses from a ledger have a text
	set := at
	set.Elem = ""
	return slices.Contains([]string{at.String(), string(exact), set.String(), at.Block.String()}, typed)
}

// addresses completes the addresses of the ledger. A ledger that cannot be
// read has none to offer.
func (a *app) addresses(s *settings) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		backend, found := a.backend(*s)
		if found.HasErrors() {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		led, err := backend.Load(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, at := range led.Sorted() {
			if name := at.String(); strings.HasPrefix(name, typed) && !slices.Contains(args, name) {
				names = append(names, name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
