package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/reconcile"
)

// selection is the part of a configuration to plan, and the kind of plan.
type selection struct {
	target, exclude, replace usage.Addresses
	destroy, refreshOnly     bool
}

func (n *selection) addFlags(a *app, cmd *cobra.Command, s *settings) {
	f := cmd.Flags()
	f.Var(&n.target, "target", "plan only `ADDR` and its dependencies; repeatable")
	f.Var(&n.exclude, "exclude", "skip `ADDR` and its dependents; repeatable")
	for _, name := range []string{"target", "exclude"} {
		_ = cmd.RegisterFlagCompletionFunc(name, a.completeAddresses(s)) // fails for no flag only
	}
}

func (n *selection) addReplace(a *app, cmd *cobra.Command, s *settings) {
	cmd.Flags().Var(&n.replace, "replace", "delete and create `ADDR` even if nothing requires it; repeatable")
	_ = cmd.RegisterFlagCompletionFunc("replace", a.completeAddresses(s)) // fails for no flag only
}

// options returns the options of the engine, or an error for flags that exclude each other.
func (n *selection) options(mode reconcile.Mode) (reconcile.Options, error) {
	switch {
	case len(n.target) > 0 && len(n.exclude) > 0:
		return reconcile.Options{}, errors.New("-target and -exclude cannot be combined. Use one of the two")
	case n.destroy && n.refreshOnly:
		return reconcile.Options{}, errors.New("-destroy and -refresh-only cannot be combined: one plans " +
			"deletions, the other shows drift. Use one of the two")
	case n.destroy:
		mode = reconcile.Destroy
	case n.refreshOnly:
		mode = reconcile.Drift
	}
	if len(n.replace) > 0 && mode != reconcile.Normal {
		purpose := map[reconcile.Mode]string{reconcile.Destroy: "plan that deletes everything",
			reconcile.Drift: "plan that only shows drift"}[mode]
		return reconcile.Options{}, fmt.Errorf("-replace cannot be combined with a %s. Remove -replace", purpose)
	}
	return reconcile.Options{Mode: mode, Target: n.target, Exclude: n.exclude, Replace: n.replace}, nil
}
