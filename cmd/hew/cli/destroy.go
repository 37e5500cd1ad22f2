package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/session"
	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

func (a *app) destroyCommand() *cobra.Command {
	return a.approvalCommand(reconcile.Destroy, &selection{}, &settings{Options: session.Options{Writes: true}}, &cobra.Command{
		Use:   "destroy",
		Short: "Delete everything that hew manages here",
		Long: "hew destroy plans the deletion of everything in the ledger of this configuration, names it, asks, and does it.\n" +
			"What is marked prevent_destroy, and what hew adopted rather than created, is guarded.",
	})
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
		counts = append(counts, prose.Count(n, strings.ReplaceAll(kind, "_", " ")))
	}
	slices.Sort(counts)
	return fmt.Sprintf("Delete %s: %s? What a group or a project holds goes with it.",
		prose.Count(p.Count(plan.Delete), "object"), strings.Join(counts, ", "))
}
