package main

import (
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/plan"
)

func (a *app) driftCommand() *cobra.Command {
	var (
		s settings
		f form
		n narrowing
	)
	cmd := &cobra.Command{
		Use:   "drift",
		Short: "Show what others changed on the host since the last apply",
		Long: "hew drift shows what somebody else changed on the host since the last apply, and nothing that you changed in the\n" +
			"configuration. It ends with 0 for no drift, 2 for drift, 1 if anything could not be looked at.\n" +
			"Without a ledger it cannot tell drift from change: it says so, and any difference counts.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := n.options(reconcile.Drift)
			if err != nil {
				return err
			}
			return a.planned(cmd, s, f, opts, func(_ session, _ view, p *plan.Plan) error {
				if err := verdict(p); err != nil {
					return err
				}
				if !p.Empty() {
					return differs
				}
				return nil
			})
		},
	}
	s.flags(a, cmd)
	s.baseFlag(cmd)
	f.flags(cmd)
	n.flags(a, cmd, &s)
	return cmd
}

// steady is a plan without what differs between two runs that find the same: the
// order in which things were noted, the numbers of requests that failed, which the
// log has, and digests, which bind an apply and may have a key that ends with the
// run.
func steady(p *plan.Plan) *plan.Plan {
	same := *p
	same.Digest = ""
	same.Changes = slices.Clone(p.Changes)
	for i := range same.Changes {
		same.Changes[i].Digest = ""
	}
	same.Notes = slices.Sorted(slices.Values(p.Notes))
	same.Blocked = slices.Clone(p.Blocked)
	for i := range same.Blocked {
		same.Blocked[i].Why = requestNumber.ReplaceAllString(same.Blocked[i].Why, "")
	}
	return &same
}

// requestNumber is how errors name the request for the host's administrator.
var requestNumber = regexp.MustCompile(` \(request [^()]*\)`)
