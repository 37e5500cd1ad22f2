package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"hew/cmd/hew/post"
	"hew/cmd/hew/usage"
	"hew/reconcile"
	"hew/reconcile/plan"
)

// planRun is a run of hew plan.
type planRun struct {
	*app
	settings settings
	form     rendering
	selected selection
	comment  post.Comment
	detailed bool
	out      string
}

func (a *app) planCommand() *cobra.Command {
	p := planRun{app: a, settings: settings{saves: true}}
	cmd := &cobra.Command{
		Use: "plan [DIR]...",
		Example: "  hew plan\n" +
			"  hew plan groups projects settings\n" +
			"  hew plan -out=plan.json && hew apply plan.json\n" +
			"  hew plan -detailed-exitcode -target=group.acme\n" +
			"  hew plan -json -o=plan.json -comment",
		Short: "Show what apply would change",
		Long: `hew plan compares the configuration with the host and shows what hew apply would change, and why. It
never writes to the host.

With -out it saves the plan for hew apply, which applies it only if the configuration, its variables
and the host still lead to the same plan. The file holds no secrets. Both commands need the same
HEW_LEDGER_KEY, or the key file of the ledger.

With -comment it writes the plan to one note on the merge request of a CI job. The note is
identified by a hidden marker and updated in place; a note that a newer pipeline has written is left
alone. The token is HEW_COMMENT_TOKEN, or HEW_TOKEN if the merge request is on the host that hew
manages. The merge request is on the host of CI_API_V4_URL, or of HEW_URL outside of a CI job. If
only the configuration names the host, hew does not send the token, because a merge request could
name another host there. Set HEW_URL.

With -destroy it shows what hew destroy would delete. With -refresh-only it shows what others
changed on the host, like hew drift.

With directories it plans all of them concurrently, each with its own configuration, variables and
ledger. Shared objects are read once, and all directories share one request limit. -out saves a plan
in each.

Exits 0 if the plan is complete; 1 if something could not be planned or a guard stops it; 2 with
-detailed-exitcode if there are changes, or drift with -refresh-only.`,
		ValidArgsFunction: usage.CompleteDirectories,
		RunE:              p.run,
	}
	p.settings.addFlags(a, cmd)
	p.settings.addBase(cmd)
	p.form.addFlags(cmd)
	p.selected.addFlags(a, cmd, &p.settings)
	p.selected.addReplace(a, cmd, &p.settings)
	addCommentFlags(cmd, &p.comment)
	f := cmd.Flags()
	f.BoolVar(&p.selected.destroy, "destroy", false, "plan to delete every object in the ledger")
	f.BoolVar(&p.selected.refreshOnly, "refresh-only", false, "show only what others changed on the host")
	f.StringVar(&p.out, "out", "", "save the plan to `FILE` for hew apply FILE")
	f.BoolVar(&p.detailed, "detailed-exitcode", false, "exit 2 if there are changes")
	return cmd
}

func (p *planRun) run(cmd *cobra.Command, dirs []string) error {
	opts, err := p.selected.options(reconcile.Normal)
	if err != nil {
		return err
	}
	if err := p.check(opts, len(dirs)); err != nil {
		return err
	}
	if opts.Mode == reconcile.Drift {
		p.form.as = "drift"
	}
	p.form.markdown, p.form.keeps = p.comment.Asked(), p.comment.Asked() || p.out != ""
	parts, err := p.inDirectories(cmd, dirs, p.form, func(a *app, f rendering, planned func(*plan.Plan)) error {
		return a.planAndShow(cmd, p.settings, f, opts, func(_ engine, r *reporter, made *plan.Plan) error {
			planned(made)
			return p.finish(a, f, r, made)
		})
	})
	return p.writeComment(cmd.Context(), parts, err)
}

// check returns an error for flags that exclude each other, before anything is planned.
func (p *planRun) check(opts reconcile.Options, dirs int) error {
	if filepath.IsAbs(p.out) && dirs > 1 {
		return fmt.Errorf("-out=%s is one file, but several directories are planned. Use a relative path, which "+
			"names a file in each of them", p.out)
	}
	if p.out != "" && opts.Mode == reconcile.Drift {
		return errors.New("-out and -refresh-only cannot be combined, because drift cannot be applied. Remove one " +
			"of the two")
	}
	return p.comment.Check(p.postEnv(p.form, p.settings))
}

// finish saves the plan of a directory and returns how the run ends there.
func (p *planRun) finish(a *app, f rendering, r *reporter, made *plan.Plan) error {
	if p.out != "" {
		if err := a.savePlan(p.out, made, f.document); err != nil {
			return err
		}
		r.Note(savedNote(string(a.Dir), p.out, made))
	}
	if err := checkComplete(made); err != nil {
		return err
	}
	if p.detailed && !made.Empty() {
		return differs
	}
	return nil
}
