package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

func (a *app) applyCommand() *cobra.Command {
	var n narrowing
	s := settings{writes: true}
	cmd := a.approved(reconcile.Normal, &n, &s, &cobra.Command{
		Use:   "apply [PLAN]",
		Short: "Make the host as the configuration says",
		Long: "hew apply plans, shows the plan, asks, and does it. A change that fails keeps only those that depend on it from being\n" +
			"done; the rest is done, and a second run finishes what is left. It ends with 0, or with 1 if anything was not done.\n" +
			"PLAN is what hew plan -out=FILE saved: it is made again, with the same -var, -var-file and -base, and done without asking if\n" +
			"nothing has moved since; else nothing is changed, and what moved is listed. -plan-digest does so by the plan's digest\n" +
			"alone, which -out and -json tell.",
		Example: "  hew apply\n  hew plan -out=plan.json && hew apply plan.json\n  hew apply -plan-digest=$(hew plan -json | jq -r .digest)",
	})
	cmd.Args = planArgs
	s.baseFlag(cmd)
	cmd.ValidArgsFunction = a.completeFiles("json")
	n.replaceFlag(a, cmd, &s)
	cmd.Flags().BoolVar(&n.destroy, "destroy", false, "delete everything that hew manages here; same as hew destroy")
	habit{"refresh-only", "false", "There is nothing that hew apply -refresh-only could do: the ledger holds no copy of the host that could be out of date. hew drift shows what others changed there."}.add(cmd.Flags())
	return cmd
}

// questions are what is asked about a plan before it is carried out.
var questions = map[reconcile.Mode]func(*plan.Plan) string{reconcile.Normal: applyQuestion, reconcile.Destroy: destroyQuestion}

// approved completes a command that plans for a purpose, asks about the plan,
// and carries it out.
func (a *app) approved(mode reconcile.Mode, n *narrowing, s *settings, cmd *cobra.Command) *cobra.Command {
	var (
		f           form
		autoApprove bool
		digest      string
	)
	cmd.Args = noArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if err := planAlone(cmd, args[0]); err != nil {
				return err
			}
			return a.applySaved(cmd, *s, f, args[0])
		}
		if digest != "" {
			opts, err := n.options(mode)
			if err != nil {
				return err
			}
			return a.carriedOut(cmd, *s, f, opts, reviewed(digest))
		}
		if err := a.approvable(cmd.Name(), autoApprove, *s, f); err != nil {
			return err
		}
		opts, err := n.options(mode)
		if err != nil {
			return err
		}
		if opts.Mode == reconcile.Destroy {
			f.as = "destroy"
		}
		return a.planned(cmd, *s, f, opts, func(ses session, v *reporter, p *plan.Plan) error {
			if !p.Applyable {
				return failed
			}
			// An empty plan is carried out too: what it adopts is recorded.
			if !p.Empty() && !autoApprove && !a.confirm(cmd.Context(), questions[opts.Mode](p)) {
				return failed
			}
			return a.carryOut(cmd.Context(), ses, v, p)
		})
	}
	s.flags(a, cmd)
	f.flags(cmd)
	n.flags(a, cmd, s)
	cmd.Flags().StringVar(&digest, "plan-digest", "", "do the plan of `DIGEST` without asking, and nothing if it is another by now")
	cmd.Flags().BoolVar(&autoApprove, "auto-approve", false, "do not ask")
	return cmd
}

func applyQuestion(p *plan.Plan) string {
	question := fmt.Sprintf("Do %s on the host?", prose.Count(p.Sends(), "change"))
	if len(p.Blocked) > 0 {
		question += fmt.Sprintf(" What could not be planned, %s, stays as it is.", prose.Count(len(p.Blocked), "object"))
	}
	return question
}
