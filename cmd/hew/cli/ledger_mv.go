package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/reconcile/ledger"
)

func (a *app) ledgerMvCommand(s *settings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mv FROM TO",
		Short: "Change the addresses of objects, like a moved block",
		Long: `hew ledger mv changes the address of objects in the ledger: of a block with all its objects, of one
object, or of a module with all its blocks. Make the same change in the configuration.

To move the objects in every ledger of the configuration, and to show this in plans, write a moved
block instead.`,
		Example: "  hew ledger mv group.acme group.example\n" +
			"  hew ledger mv 'project_hook.ci[\"acme/api\"]' project_hook.api\n" +
			"  hew ledger mv module.web module.site",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s takes two addresses, the old one and the new one.\n%s", cmd.CommandPath(),
					usage.SeeHelp(cmd))
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 1 {
				return nil, usage.NoFiles
			}
			if len(args) == 1 {
				return a.completeAddresses(s)(cmd, args, typed)
			}
			return a.completeEntries(s)(cmd, args, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := usage.ParseAddress(args[0])
			if err != nil {
				return err
			}
			to, err := usage.ParseAddress(args[1])
			if err != nil {
				return err
			}
			return a.changeLedger(cmd.Context(), s, func(led *ledger.Ledger) ([]ledger.Delta, []string, error) {
				return a.moveEntries(led, from, to)
			})
		},
	}
	s.addLockTimeout(cmd.Flags())
	return cmd
}

// moveEntries moves every entry at from to its address at to, and returns a line about each. It
// moves none if one of them cannot be moved.
func (a *app) moveEntries(
	led *ledger.Ledger, from, to addr.Instance,
) (deltas []ledger.Delta, lines []string, err error) {
	if from == to {
		return nil, nil, fmt.Errorf("FROM and TO are both %s. Name two different addresses", from)
	}
	if from.IsCall() != to.IsCall() {
		return nil, nil, fmt.Errorf("%s cannot move to %s: a module moves to a module, and a block to a block", from,
			to)
	}
	if from.Kind != to.Kind && !a.Kinds().Same(from.Kind, to.Kind) || from.Mode != to.Mode {
		return nil, nil, fmt.Errorf("%s cannot move to %s: they have different kinds", from, to)
	}
	var sources, targets []addr.Instance
	for _, at := range led.Sorted() {
		if target, ok := at.Rebase(from, to); ok && target != at {
			sources, targets = append(sources, at), append(targets, target)
		}
	}
	if len(sources) == 0 {
		return nil, nil, unknownEntry(led, from.String())
	}
	var problems []error
	for i, target := range targets {
		if _, taken := led.Entries[target]; taken {
			problems = append(problems, fmt.Errorf("%s is another object in the ledger than %s. Move or remove it "+
				"first", target, sources[i]))
		} else if slices.Contains(targets[:i], target) {
			problems = append(problems, fmt.Errorf("%s is one object, but %s has several. Name one of them", to, from))
		}
	}
	if len(problems) > 0 {
		return nil, nil, errors.Join(problems...)
	}
	for i, at := range sources {
		deltas = append(deltas, led.Move(at, targets[i])...)
		lines = append(lines, fmt.Sprintf("moved %s to %s", at, targets[i]))
	}
	return deltas, lines, nil
}

// unknownEntry returns an error for an address that the ledger does not have, with the likely
// address.
func unknownEntry(led *ledger.Ledger, typed string) error {
	var names []string
	for _, at := range led.Sorted() {
		names = append(names, at.String())
	}
	hint := ". Run hew ledger list to list its objects"
	if near := didyoumean.Nearest(strings.TrimSpace(typed), names); near != "" {
		hint = fmt.Sprintf(". Did you mean %s?", near)
	}
	return fmt.Errorf("the ledger has no %s%s", typed, hint)
}
