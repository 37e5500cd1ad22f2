package cli

import (
	"errors"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"hew/cmd/hew/post"
	"hew/cmd/hew/usage"
	"hew/reconcile"
	"hew/reconcile/plan"
)

// driftRun is a run of hew drift.
type driftRun struct {
	*app
	settings settings
	form     rendering
	part     selection
	watch    post.Watch
	adopts   bool
	strays   bool
}

func (a *app) driftCommand() *cobra.Command {
	d := driftRun{app: a}
	cmd := &cobra.Command{
		Use:   "drift [DIR ...]",
		Short: "Show what others changed on the host since the last apply",
		Long: "hew drift shows what somebody else changed on the host since the last apply, and nothing that you changed in the\n" +
			"configuration. It ends with 0 for no drift, 2 for drift, 1 if anything could not be looked at.\n" +
			"Without a ledger it cannot tell drift from change: it says so, and any difference counts. The same drift is the same\n" +
			"answer, byte by byte; what the run took is told on standard error. Where a list of the host tells when something was\n" +
			"made or changed last, or who made it, that is told.\n" +
			"-strays also lists what nobody declares beside objects that are managed, such as a hook made by hand in a project\n" +
			"whose other hooks are declared; that is drift, too.\n" +
			"With -alert it keeps one alert open while there is drift, and with -issue one issue: each has a name of its own for\n" +
			"the ledger of the configuration. Both are closed by a run that finds none and could look at everything.\n" +
			"With -adopt it takes over what drifted: each live value is written into the file in the place of the old one, and comments\n" +
			"and layout stay. What is no literal there, or a secret, is listed with its place and the reason. It ends with 0 if nothing\n" +
			"is left, else with 2. git diff shows again what was written, and hew apply records it.\n" +
			"With directories it looks at each of them, all at once, as hew plan does.",
		Example: "  hew drift\n  hew drift -adopt\n  hew drift -strays -format=markdown -o=drift.md\n" +
			"  HEW_ALERT_TOKEN=... hew drift -alert=https://git.example.com/acme/ops/alerts/notify/drift/0123456789abcdef.json\n  hew drift -issue=acme/ops",
		ValidArgsFunction: usage.CompleteDirectories,
		RunE:              d.run,
	}
	d.settings.addFlags(a, cmd)
	d.settings.addBase(cmd)
	d.form.addFlags(cmd)
	d.part.addFlags(a, cmd, &d.settings)
	cmd.Flags().BoolVar(&d.adopts, "adopt", false, "write what drifted into the files, and list what cannot be written")
	addWatchFlags(cmd, &d.watch)
	cmd.Flags().BoolVar(&d.strays, "strays", false, "list also what nobody declares beside what is managed")
	return cmd
}

func (d *driftRun) run(cmd *cobra.Command, dirs []string) error {
	opts, err := d.part.options(reconcile.Drift)
	if err != nil {
		return err
	}
	opts.Strays = d.strays
	if err := d.check(opts); err != nil {
		return err
	}
	d.form.markdown = d.watch.Issue != ""
	_, err = d.inDirectories(cmd, dirs, d.form, func(a *app, f rendering, planned func(*plan.Plan)) error {
		return a.planAndShow(cmd, d.settings, f, opts, func(ses engine, v *reporter, p *plan.Plan) error {
			planned(p)
			if d.adopts && !p.Empty() {
				return a.adopt(cmd.Context(), adoption{d.settings, opts, ses, v}, p)
			}
			if err := d.watch.Announce(cmd.Context(), a.postEnv(f, d.settings), v.document, p.Lineage); err != nil {
				return err
			}
			if err := checkComplete(p); err != nil {
				return err
			}
			if drifted(p) {
				return differs
			}
			return nil
		})
	})
	return err
}

// check refuses what does not go together.
func (d *driftRun) check(opts reconcile.Options) error {
	tells := d.strays || d.watch.Asked()
	switch {
	case tells && len(opts.Target)+len(opts.Exclude) > 0:
		return errors.New("-strays, -alert and -issue are about all of the configuration, so they do not go with -target or -exclude. Leave these out")
	case tells && d.adopts:
		return errors.New("-adopt does not go with -strays, -alert and -issue: it ends the drift that these tell of. Run them one after the other")
	}
	return d.watch.Check()
}

// drifted tells whether anything is not as it was left.
func drifted(p *plan.Plan) bool { return !p.Empty() || len(p.Strays) > 0 }

// steady is a plan without what differs between two runs that find the same: the
// order in which things were noted, the numbers of requests that failed, which the
// log has, and digests, which bind an apply and may have a key that ends with the
// run.
func withoutVariation(p *plan.Plan) *plan.Plan {
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

// watchFlags are the flags of a watch.
func addWatchFlags(cmd *cobra.Command, w *post.Watch) {
	cmd.Flags().StringVar(&w.Alert, "alert", "", "keep one alert open at `URL`, an alert endpoint, while there is drift; its key is in HEW_ALERT_TOKEN")
	cmd.Flags().StringVar(&w.Issue, "issue", "", "keep one issue of `PROJECT` open while there is drift")
}
