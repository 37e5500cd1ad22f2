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
	part     selection
	comment  post.Comment
	detailed bool
	out      string
}

func (a *app) planCommand() *cobra.Command {
	p := planRun{app: a, settings: settings{saves: true}}
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
		ValidArgsFunction: usage.CompleteDirectories,
		RunE:              p.run,
	}
	p.settings.addFlags(a, cmd)
	p.settings.addBase(cmd)
	p.form.addFlags(cmd)
	p.part.addFlags(a, cmd, &p.settings)
	p.part.addReplace(a, cmd, &p.settings)
	addCommentFlags(cmd, &p.comment)
	f := cmd.Flags()
	f.BoolVar(&p.part.destroy, "destroy", false, "plan the deletion of everything that hew manages here")
	f.BoolVar(&p.part.refreshOnly, "refresh-only", false, "show what others changed on the host, and nothing else")
	f.StringVar(&p.out, "out", "", "save the plan to `FILE`, for hew apply FILE")
	f.BoolVar(&p.detailed, "detailed-exitcode", false, "end with 2 if there are changes")
	return cmd
}

func (p *planRun) run(cmd *cobra.Command, dirs []string) error {
	opts, err := p.part.options(reconcile.Normal)
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
		return a.planAndShow(cmd, p.settings, f, opts, func(_ engine, v *reporter, made *plan.Plan) error {
			planned(made)
			return p.end(a, f, v, made)
		})
	})
	return p.writeComment(cmd.Context(), parts, err)
}

// check refuses what cannot be done before anything is planned.
func (p *planRun) check(opts reconcile.Options, dirs int) error {
	if filepath.IsAbs(p.out) && dirs > 1 {
		return fmt.Errorf("-out=%s is one file, and several directories are planned. Without a leading / it is a file in each of them", p.out)
	}
	if p.out != "" && opts.Mode == reconcile.Drift {
		return errors.New("-out and -refresh-only do not go together: drift is shown, and nothing that could be applied. Leave out one of the two")
	}
	return p.comment.Check(p.postEnv(p.form, p.settings))
}

// end saves what was planned in a directory, and says what the run ends with there.
func (p *planRun) end(a *app, f rendering, v *reporter, made *plan.Plan) error {
	if p.out != "" {
		if err := a.save(p.out, made, f.document); err != nil {
			return err
		}
		v.Note(savedNote(string(a.Dir), p.out, made))
	}
	if err := checkComplete(made); err != nil {
		return err
	}
	if p.detailed && !made.Empty() {
		return differs
	}
	return nil
}
