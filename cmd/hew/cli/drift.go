package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"hew/cmd/hew/post"
	"hew/cmd/hew/usage"
	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/schema/pattern"
)

// driftRun is a run of hew drift.
type driftRun struct {
	*app
	settings   settings
	form       rendering
	selected   selection
	watch      post.Watch
	adopts     bool
	undeclared bool
}

func (a *app) driftCommand() *cobra.Command {
	d := driftRun{app: a}
	cmd := &cobra.Command{
		Use:   "drift [DIR]...",
		Short: "Show what others changed on the host since the last apply",
		Long: `hew drift shows what others changed on the host since the last apply. It ignores your own changes to
the configuration. Without a ledger, hew cannot tell the two apart and reports every difference as
drift. It also shows who created or changed an object, and when, if the host reports it.

A mirror whose last push or pull failed counts as drift, although hew cannot change that.

Two runs that find the same drift print identical output. The duration and the number of requests go
to standard error.

With -strays it also lists undeclared objects beside managed ones, such as a webhook that somebody
created in a project whose other webhooks are declared. They count as drift.

With -alert it keeps one alert open while there is drift, and with -issue one issue, for each
ledger. Only a complete run without drift closes them.

With -adopt it writes the values of the host into the files of the configuration and keeps comments
and layout. It does not write secrets or overwrite expressions: it lists these with their place and
the reason. Change them by hand. Review the changes with git diff; hew apply records them in the
ledger.

With directories it checks all of them concurrently, like hew plan.

Exits 0 if there is no drift; 1 if something could not be read; 2 if there is drift (with -adopt:
drift that could not be written).`,
		Example: "  hew drift\n" +
			"  hew drift -adopt\n" +
			"  hew drift -strays -format=markdown -o=drift.md\n" +
			"  HEW_ALERT_TOKEN=... hew drift " +
			"-alert=https://git.example.com/acme/ops/alerts/notify/drift/0123456789abcdef.json\n" +
			"  hew drift -issue=acme/ops",
		ValidArgsFunction: usage.CompleteDirectories,
		RunE:              d.run,
	}
	d.settings.addFlags(a, cmd)
	d.settings.addBase(cmd)
	d.form.addFlags(cmd)
	d.selected.addFlags(a, cmd, &d.settings)
	cmd.Flags().BoolVar(&d.adopts, "adopt", false, "write drift into the files, and list what cannot be written")
	addWatchFlags(cmd, &d.watch)
	cmd.Flags().BoolVar(&d.undeclared, "strays", false, "also list undeclared objects beside managed ones")
	return cmd
}

func (d *driftRun) run(cmd *cobra.Command, dirs []string) error {
	opts, err := d.selected.options(reconcile.Drift)
	if err != nil {
		return err
	}
	opts.Undeclared = d.undeclared
	if err := d.check(opts); err != nil {
		return err
	}
	d.form.markdown = d.watch.Issue != ""
	_, err = d.inDirectories(cmd, dirs, d.form, func(a *app, f rendering, planned func(*plan.Plan)) error {
		return a.planAndShow(cmd, d.settings, f, opts, func(eng engine, r *reporter, p *plan.Plan) error {
			planned(p)
			if d.adopts && !p.Empty() {
				return a.adopt(cmd.Context(), adoption{d.settings, opts, eng, r}, p)
			}
			if err := d.watch.Announce(cmd.Context(), a.postEnv(f, d.settings), r.document, p.Lineage); err != nil {
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

// check returns an error for flags that exclude each other.
func (d *driftRun) check(opts reconcile.Options) error {
	reports := d.undeclared || d.watch.Asked()
	switch {
	case reports && len(opts.Target)+len(opts.Exclude) > 0:
		return errors.New("-strays, -alert and -issue need the whole configuration, so they cannot be combined " +
			"with -target or -exclude. Remove these")
	case reports && d.adopts:
		return errors.New("-adopt cannot be combined with -strays, -alert or -issue, because it ends the drift that " +
			"they report. Run hew drift with these flags first, then hew drift -adopt")
	}
	return d.watch.Check()
}

// drifted reports whether there is drift or an undeclared object.
func drifted(p *plan.Plan) bool { return !p.Empty() || len(p.Undeclared) > 0 }

// withoutVariation returns a plan without what differs between two runs that find the same: the
// order of notes, the ids of failed requests, which the log has, and digests, whose key may be one
// of this run.
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
		same.Blocked[i].Reason = requestID().ReplaceAllString(same.Blocked[i].Reason, "")
	}
	return &same
}

// requestID matches the id of a request in an error.
var requestID = pattern.Lazy(` \(request [^()]*\)`)

// addWatchFlags adds the flags of a watch.
func addWatchFlags(cmd *cobra.Command, w *post.Watch) {
	cmd.Flags().StringVar(&w.Alert, "alert", "", "keep one alert open at the alert endpoint `URL` while there is "+
		"drift; its key is in HEW_ALERT_TOKEN")
	cmd.Flags().StringVar(&w.Issue, "issue", "", "keep one issue open in `PROJECT` while there is drift")
}
