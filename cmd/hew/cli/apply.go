package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"hew/cmd/hew/session"
	"hew/cmd/hew/usage"
	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

func (a *app) applyCommand() *cobra.Command {
	var n selection
	s := settings{Options: session.Options{Writes: true}}
	cmd := a.approvalCommand(reconcile.Normal, &n, &s, &cobra.Command{
		Use:   "apply [PLAN]",
		Short: "Apply the configuration to the host",
		Long: `hew apply plans, shows the plan, asks for approval, and applies the plan.

If a change fails, the changes that depend on it are skipped and all others are applied. Run hew
apply again for the rest.

PLAN is a file saved by hew plan -out=FILE. Pass the same -var, -var-file and -base as to hew plan.
hew plans again, and applies without asking if the plan is still the same. Otherwise it changes
nothing and lists the differences. -plan-digest compares only the digest, which hew plan -out and
-json print.

Exits 0 if everything was applied; 1 if anything was not.`,
		Example: "  hew apply\n" +
			"  hew plan -out=plan.json && hew apply plan.json\n" +
			"  hew apply -plan-digest=$(hew plan -json | jq -r .digest)",
	})
	cmd.Args = planArgs
	s.addBase(cmd)
	cmd.ValidArgsFunction = a.completeFiles("json")
	n.addReplace(a, cmd, &s)
	cmd.Flags().BoolVar(&n.destroy, "destroy", false, "delete every object in the ledger; same as hew destroy")
	usage.RefreshOnlyFlag.Add(cmd.Flags())
	return cmd
}

// questions ask for the approval of a plan, by its mode.
var questions = map[reconcile.Mode]func(*plan.Plan) string{reconcile.Normal: applyQuestion,
	reconcile.Destroy: destroyQuestion}

// approvalCommand completes a command that plans, asks for approval, and applies the plan.
func (a *app) approvalCommand(mode reconcile.Mode, n *selection, s *settings, cmd *cobra.Command) *cobra.Command {
	var (
		f           rendering
		autoApprove bool
		digest      string
	)
	cmd.Args = usage.NoArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if err := checkPlanAlone(cmd, args[0]); err != nil {
				return err
			}
			return a.applySaved(cmd, *s, f, args[0])
		}
		if digest != "" {
			opts, err := n.options(mode)
			if err != nil {
				return err
			}
			return a.applyReviewed(cmd, *s, f, opts, checkDigest(digest))
		}
		if err := a.checkApproval(cmd.Name(), autoApprove, *s, f); err != nil {
			return err
		}
		opts, err := n.options(mode)
		if err != nil {
			return err
		}
		if opts.Mode == reconcile.Destroy {
			f.as = "destroy"
		}
		return a.planAndShow(cmd, *s, f, opts, func(eng engine, r *reporter, p *plan.Plan) error {
			if !p.Applyable {
				return failed
			}
			// An empty plan is applied too: it records what it adopts.
			if !p.Empty() && !autoApprove && !a.confirm(cmd.Context(), questions[opts.Mode](p)) {
				return failed
			}
			return a.applyPlan(cmd.Context(), eng, r, p)
		})
	}
	s.addFlags(a, cmd)
	f.addFlags(cmd)
	n.addFlags(a, cmd, s)
	cmd.Flags().StringVar(&digest, "plan-digest", "", "apply without asking, and only if the plan still has this "+
		"`DIGEST`")
	cmd.Flags().BoolVar(&autoApprove, "auto-approve", false, "apply without asking")
	return cmd
}

// planArgs accepts a saved plan, or nothing.
func planArgs(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	return fmt.Errorf("%s takes one plan, saved by hew plan -out=FILE, but got %d arguments.\n%s", cmd.CommandPath(),
		len(args), usage.SeeHelp(cmd))
}

// checkPlanAlone refuses flags that were decided when a plan was saved.
func checkPlanAlone(cmd *cobra.Command, file string) error {
	for _, name := range []string{"target", "exclude", "replace", "destroy", "plan-digest"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("-%s cannot be combined with a saved plan: %s already says what to change. Remove "+
				"the flag, or plan again", name, file)
		}
	}
	return nil
}

// hostAndUser names the host of a plan, and the user whose token it uses.
func hostAndUser(p *plan.Plan) string {
	host := cmp.Or(p.Host, "the host")
	if p.User == "" {
		return host
	}
	return host + " as " + prose.Clean(p.User)
}

func applyQuestion(p *plan.Plan) string {
	question := fmt.Sprintf("Apply %s to %s?", prose.Count(p.Sends(), "change"), hostAndUser(p))
	if len(p.Blocked) > 0 {
		question += fmt.Sprintf(" %s that could not be planned will not change.", prose.Count(len(p.Blocked), "object"))
	}
	return question
}
