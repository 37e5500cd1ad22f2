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
		detailed bool
	)
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Show what apply would do; writes nothing",
		Long: "hew plan compares the configuration with the host and shows what apply would do, and why. It cannot write.\n" +
			"It ends with 0, or with 1 if anything could not be planned or a guard trips.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.planned(cmd, s, f, reconcile.Options{}, func(_ session, _ view, p *plan.Plan) error {
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
	s.flags(cmd)
	f.flags(cmd)
	cmd.Flags().BoolVar(&detailed, "detailed-exitcode", false, "end with 2 if there are changes")
	return cmd
}
