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
		Short: "Give objects another address, as a moved block does",
		Long: "hew ledger mv gives what the ledger has at one address another: a block with all its objects, one object, or a module\n" +
			"with all that is in it. Do it together with the same change of the configuration. A moved block in the configuration\n" +
			"does the same for everybody who applies it, and is shown by the plan first.",
		Example: "  hew ledger mv group.acme group.example\n" +
			"  hew ledger mv 'project_hook.ci[\"acme/api\"]' project_hook.api\n" +
			"  hew ledger mv module.web module.site",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s takes two addresses, the old one and the new one.\n%s", cmd.CommandPath(), usage.SeeHelp(cmd))
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
				return a.relocate(led, from, to)
			})
		},
	}
	s.addLockTimeout(cmd.Flags())
	return cmd
}

// relocate gives every entry that from speaks of the address that to makes of
// it. It says what it did, and does nothing where any of them cannot have it.
func (a *app) relocate(led *ledger.Ledger, from, to addr.Instance) (deltas []ledger.Delta, said []string, err error) {
	if from.IsCall() != to.IsCall() {
		return nil, nil, fmt.Errorf("%s and %s are not alike: a module moves to a module, a block to a block", from, to)
	}
	if from.Kind != to.Kind && !a.Kinds.Same(from.Kind, to.Kind) || from.Mode != to.Mode {
		return nil, nil, fmt.Errorf("%s and %s are of different kinds, and an object cannot become one of another kind", from, to)
	}
	var moving, arriving []addr.Instance
	for _, at := range led.Sorted() {
		if there, ok := at.Rebase(from, to); ok && there != at {
			moving, arriving = append(moving, at), append(arriving, there)
		}
	}
	if len(moving) == 0 {
		return nil, nil, unknownEntry(led, from.String())
	}
	var problems []error
	for i, there := range arriving {
		if _, taken := led.Entries[there]; taken {
			problems = append(problems, fmt.Errorf("the ledger has %s already, which is another object than %s. Move or remove that first", there, moving[i]))
		} else if slices.Contains(arriving[:i], there) {
			problems = append(problems, fmt.Errorf("%s is one object, and %s are several. Say which of them is meant", to, from))
		}
	}
	if len(problems) > 0 {
		return nil, nil, errors.Join(problems...)
	}
	for i, at := range moving {
		deltas = append(deltas, led.Move(at, arriving[i])...)
		said = append(said, fmt.Sprintf("moved %s to %s", at, arriving[i]))
	}
	return deltas, said, nil
}

// unknownEntry says that a ledger has nothing at an address, and what was
// likely meant.
func unknownEntry(led *ledger.Ledger, typed string) error {
	var names []string
	for _, at := range led.Sorted() {
		names = append(names, at.String())
	}
	hint := "; hew ledger list prints what it has"
	if near := didyoumean.Nearest(strings.TrimSpace(typed), names); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return fmt.Errorf("the ledger has no %s%s", typed, hint)
}
