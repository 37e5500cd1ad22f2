package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/plan"
)

func (a *app) destroyCommand() *cobra.Command {
	var (
		s           = settings{writes: true}
		f           form
		autoApprove bool
	)
	cmd := &cobra.Command{
		Use:   "destroy",
		Short: "Delete everything that hew manages here",
		Long: "hew destroy plans the deletion of everything in the ledger of this configuration, names it, asks, and does it.\n" +
			"What is marked prevent_destroy, and what hew adopted rather than created, is guarded.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.approvable(cmd.Name(), autoApprove, f); err != nil {
				return err
			}
			return a.planned(cmd, s, f, reconcile.Destroy, func(ses session, v view, p *plan.Plan) error {
				if !p.Applyable {
					return failed
				}
				if !p.Empty() && !autoApprove && !a.confirm(cmd.Context(), destroyQuestion(p)) {
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

// destroyQuestion names how many objects of which kinds would go.
func destroyQuestion(p *plan.Plan) string {
	kinds := map[string]int{}
	for i := range p.Changes {
		if p.Changes[i].Action == plan.Delete {
			kinds[p.Changes[i].Kind.Name]++
		}
	}
	var counts []string
	for kind, n := range kinds {
		counts = append(counts, count(n, strings.ReplaceAll(kind, "_", " ")))
	}
	slices.Sort(counts)
	return fmt.Sprintf("Delete %s: %s? What a group or a project holds goes with it.",
		count(p.Count(plan.Delete), "object"), strings.Join(counts, ", "))
}
