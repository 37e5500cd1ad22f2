package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/addr"
)

// narrowing is what part of a plan is wanted, and what for.
type narrowing struct {
	target, exclude, replace addresses
	destroy, refreshOnly     bool
}

// addresses are the values of a flag that may be given many times.
type addresses []addr.Instance

func (a *addresses) String() string { return "" }
func (a *addresses) Type() string   { return "address" }

// Set reads one address.
func (a *addresses) Set(text string) error {
	i, err := addr.Parse(strings.TrimSpace(text))
	if err != nil {
		return explained(err.Error() + `. An address names a module, a block or an object, as in module.web, group.acme or project_hook.ci["acme/api"]; put it into single quotes where the shell would take the double ones.`)
	}
	*a = append(*a, i)
	return nil
}

func (n *narrowing) flags(a *app, cmd *cobra.Command, s *settings) {
	f := cmd.Flags()
	f.Var(&n.target, "target", "only `ADDR` and what it depends on; may be given many times")
	f.Var(&n.exclude, "exclude", "all but `ADDR` and what depends on it; may be given many times")
	for _, name := range []string{"target", "exclude"} {
		_ = cmd.RegisterFlagCompletionFunc(name, a.completeAddresses(s)) // fails for no flag only
	}
}

func (n *narrowing) replaceFlag(a *app, cmd *cobra.Command, s *settings) {
	cmd.Flags().Var(&n.replace, "replace", "make `ADDR` anew though nothing about it has to change; may be given many times")
	_ = cmd.RegisterFlagCompletionFunc("replace", a.completeAddresses(s)) // fails for no flag only
}

// options are what the engine is asked for, or why these flags do not go
// together.
func (n *narrowing) options(mode reconcile.Mode) (reconcile.Options, error) {
	switch {
	case len(n.target) > 0 && len(n.exclude) > 0:
		return reconcile.Options{}, errors.New("-target and -exclude do not go together: one says what is planned, the other what is not. Use one of the two")
	case n.destroy && n.refreshOnly:
		return reconcile.Options{}, errors.New("-destroy and -refresh-only do not go together: one plans deletions, the other shows drift. Use one of the two")
	case n.destroy:
		mode = reconcile.Destroy
	case n.refreshOnly:
		mode = reconcile.Drift
	}
	if len(n.replace) > 0 && mode != reconcile.Normal {
		purpose := map[reconcile.Mode]string{reconcile.Destroy: "deletes and makes nothing anew", reconcile.Drift: "shows what others changed"}[mode]
		return reconcile.Options{}, fmt.Errorf("-replace does not go with a plan that %s. Leave -replace out", purpose)
	}
	return reconcile.Options{Mode: mode, Target: n.target, Exclude: n.exclude, Replace: n.replace}, nil
}
