package main

import (
	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/plan"
)

func (a *app) planCommand() *cobra.Command {
	var (
		s        settings
		f        form
		n        narrowing
		detailed bool
	)
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Show what apply would do; writes nothing",
		Long: "hew plan compares the configuration with the host and shows what apply would do, and why. It cannot write.\n" +
			"It ends with 0, or with 1 if anything could not be planned or a guard trips.\n" +
			"With -destroy it shows what destroy would do. With -refresh-only it shows what others changed on the host, as hew drift\n" +
			"does; found drift ends with 0, or with 2 under -detailed-exitcode, where hew drift always ends with 2.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := n.options(reconcile.Normal)
			if err != nil {
				return err
			}
			if opts.Mode == reconcile.Drift {
				f.as = "drift"
			}
			return a.planned(cmd, s, f, opts, func(_ session, _ view, p *plan.Plan) error {
				if err := verdict(p); err != nil {
					return err
				}
				if detailed && !p.Empty() {
					return differs
				}
				return nil
			})
		},
	}
	s.flags(a, cmd)
	f.flags(cmd)
	n.flags(a, cmd, &s)
	n.replaceFlag(a, cmd, &s)
	cmd.Flags().BoolVar(&n.destroy, "destroy", false, "plan the deletion of everything that hew manages here")
	cmd.Flags().BoolVar(&n.refreshOnly, "refresh-only", false, "show what others changed on the host, and nothing else")
	cmd.Flags().BoolVar(&detailed, "detailed-exitcode", false, "end with 2 if there are changes")
	return cmd
}
