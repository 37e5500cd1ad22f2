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
	return a.approvalCommand(reconcile.Destroy, &selection{}, &settings{Options: session.Options{Writes: true}},
		&cobra.Command{
			Use:   "destroy",
			Short: "Delete every object in the ledger",
			Long: `hew destroy plans to delete every object in the ledger of this configuration, shows the plan, asks
for approval, and applies it. A guard stops the run if an object has prevent_destroy, or if hew
adopted it rather than created it. To delete such objects too, put "prevent-destroy" or
"adopted-delete" into allow in the lifecycle of their blocks.

Exits 0 if everything was deleted; 1 if anything was not.`,
		})
}

// destroyQuestion names how many objects of which kinds would be deleted.
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
	return fmt.Sprintf("Delete %s on %s: %s? Everything in a deleted group or project is deleted too.",
		prose.Count(p.Count(plan.Delete), "object"), hostAndUser(p), strings.Join(counts, ", "))
}
