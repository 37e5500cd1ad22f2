package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/plan"
)

func (a *app) applyCommand() *cobra.Command {
	var (
		s           = settings{writes: true}
		f           form
		autoApprove bool
	)
	cmd := &cobra.Command{
		Use:   "apply",
		Short: "Make the host as the configuration says",
		Long: "hew apply plans, shows the plan, asks, and does it. A change that fails keeps only those that depend on it from being\n" +
			"done; the rest is done, and a second run finishes what is left. It ends with 0, or with 1 if anything was not done.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.approvable(cmd.Name(), autoApprove, f); err != nil {
				return err
			}
			return a.planned(cmd, s, f, reconcile.Normal, func(ses session, v view, p *plan.Plan) error {
				if !p.Applyable {
					return failed
				}
				// An empty plan is carried out too: what it adopts is recorded.
				if !p.Empty() && !autoApprove && !a.confirm(cmd.Context(), applyQuestion(p)) {
					return failed
				}
				return a.carryOut(cmd.Context(), ses, v, p)
			})
		},
	}
	s.flags(cmd.Flags())
	f.flags(cmd.Flags())
	approveFlag(cmd, &autoApprove)
	return cmd
}

func approveFlag(cmd *cobra.Command, autoApprove *bool) {
	cmd.Flags().BoolVar(autoApprove, "auto-approve", false, "do not ask")
}

func applyQuestion(p *plan.Plan) string {
	n := 0
	for i := range p.Changes {
		if p.Changes[i].Changes() {
			n++
		}
	}
	question := fmt.Sprintf("Do %s on the host?", count(n, "change"))
	if len(p.Blocked) > 0 {
		question += fmt.Sprintf(" What could not be planned, %s, stays as it is.", count(len(p.Blocked), "object"))
	}
	return question
}
