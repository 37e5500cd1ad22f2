package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/plan"
)

func (a *app) applyCommand() *cobra.Command {
	return a.approved(reconcile.Normal, applyQuestion, &cobra.Command{
		Use:   "apply",
		Short: "Make the host as the configuration says",
		Long: "hew apply plans, shows the plan, asks, and does it. A change that fails keeps only those that depend on it from being\n" +
			"done; the rest is done, and a second run finishes what is left. It ends with 0, or with 1 if anything was not done.",
	})
}

// approved completes a command that plans for a purpose, asks a question about
// the plan, and carries it out.
func (a *app) approved(mode reconcile.Mode, question func(*plan.Plan) string, cmd *cobra.Command) *cobra.Command {
	var (
		s           = settings{writes: true}
		f           form
		autoApprove bool
	)
	cmd.Args = noArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := a.approvable(cmd.Name(), autoApprove, f); err != nil {
			return err
		}
		return a.planned(cmd, s, f, reconcile.Options{Mode: mode}, func(ses session, v view, p *plan.Plan) error {
			if !p.Applyable {
				return failed
			}
			// An empty plan is carried out too: what it adopts is recorded.
			if !p.Empty() && !autoApprove && !a.confirm(cmd.Context(), question(p)) {
				return failed
			}
			return a.carryOut(cmd.Context(), ses, v, p)
		})
	}
	s.flags(cmd)
	f.flags(cmd)
	cmd.Flags().BoolVar(&autoApprove, "auto-approve", false, "do not ask")
	return cmd
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
