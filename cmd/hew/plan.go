package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/plan"
)

func (a *app) planCommand() *cobra.Command {
	var (
		s        = settings{saves: true}
		f        form
		n        narrowing
		c        comment
		detailed bool
		out      string
	)
	cmd := &cobra.Command{
		Use: "plan [DIR ...]",
		Example: "  hew plan\n  hew plan groups projects settings\n  hew plan -out=plan.json && hew apply plan.json\n  hew plan -detailed-exitcode -target=group.acme\n" +
			"  hew plan -json -o=plan.json -comment",
		Short: "Show what apply would do; writes nothing",
		Long: "hew plan compares the configuration with the host and shows what apply would do, and why. It cannot write.\n" +
			"It ends with 0, or with 1 if anything could not be planned or a guard trips.\n" +
			"With -destroy it shows what destroy would do. With -refresh-only it shows what others changed on the host, as hew drift\n" +
			"does; found drift ends with 0, or with 2 under -detailed-exitcode, where hew drift always ends with 2.\n" +
			"With -out it saves the plan. hew apply does a saved plan as long as the configuration, its variables and the host still\n" +
			"come to the same, and changes nothing if they do not. No secret is in it; where the plan is made and where it is\n" +
			"applied, HEW_LEDGER_KEY has to be the same, or the ledger's own key file has to be there.\n" +
			"With -comment it keeps one note on the merge request of a CI job, whoever else writes there: it is found again by a mark\n" +
			"that nobody sees, and written anew by each run, by a client that can write nothing else. One run has one note, however\n" +
			"many directories it is in, and leaves one that a newer pipeline has written. It takes a token in HEW_COMMENT_TOKEN, or\n" +
			"the one of HEW_TOKEN where hew manages the host that the merge request is on. That host is the one of CI_API_V4_URL in\n" +
			"a CI job and of HEW_URL elsewhere. One that the configuration alone names gets no token: a merge request may change it.\n" +
			"With directories it plans each of them, all at once: what several of them look at is read once, and one pace is kept\n" +
			"towards the host. Each has its own configuration, variables and ledger; -out saves a plan into each.",
		ValidArgsFunction: completeDirectories,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			opts, err := n.options(reconcile.Normal)
			if err != nil {
				return err
			}
			if opts.Mode == reconcile.Drift {
				f.as = "drift"
			}
			if filepath.IsAbs(out) && len(dirs) > 1 {
				return fmt.Errorf("-out=%s is one file, and several directories are planned. Without a leading / it is a file in each of them", out)
			}
			if out != "" && opts.Mode == reconcile.Drift {
				return errors.New("-out and -refresh-only do not go together: drift is shown, and nothing that could be applied. Leave out one of the two")
			}
			if _, _, err := c.target(a); err != nil {
				return err
			}
			f.markdown, f.keeps = c.asked(), c.asked() || out != ""
			parts, err := a.everywhere(cmd, dirs, f, func(a *app, f form, planned func(*plan.Plan)) error {
				return a.planned(cmd, s, f, opts, func(_ session, v view, p *plan.Plan) error {
					planned(p)
					if out != "" {
						if err := a.save(out, p, f.kept.doc); err != nil {
							return err
						}
						v.Note(savedNote(a.dir, out, p))
					}
					if err := verdict(p); err != nil {
						return err
					}
					if detailed && !p.Empty() {
						return differs
					}
					return nil
				})
			})
			return a.keepNote(cmd.Context(), c, s, f, parts, err)
		},
	}
	s.flags(a, cmd)
	s.baseFlag(cmd)
	f.flags(cmd)
	n.flags(a, cmd, &s)
	n.replaceFlag(a, cmd, &s)
	c.flags(cmd)
	cmd.Flags().BoolVar(&n.destroy, "destroy", false, "plan the deletion of everything that hew manages here")
	cmd.Flags().BoolVar(&n.refreshOnly, "refresh-only", false, "show what others changed on the host, and nothing else")
	cmd.Flags().StringVar(&out, "out", "", "save the plan to `FILE`, for hew apply FILE")
	cmd.Flags().BoolVar(&detailed, "detailed-exitcode", false, "end with 2 if there are changes")
	return cmd
}
