package cli

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
	"hew/reconcile/rewrite"
)

// adoption is a run of hew drift -adopt.
type adoption struct {
	settings settings
	options  reconcile.Options
	engine   engine
	reporter *reporter
}

// adopt writes drift into the files of the configuration and lists what it could not write. It
// plans with the new files first, and writes none of them if that fails.
func (a *app) adopt(ctx context.Context, ad adoption, p *plan.Plan) error {
	if p.Ledgerless {
		ad.reporter.Diagnostics(report.Diagnostics{Diagnostics: hcl.Diagnostics{report.Problem("Nothing can be adopted",
			"This configuration has no ledger, so hew cannot tell drift from your own changes. Name the commit "+
				"that was applied last with -base=GITREF.")}})
		return failed
	}
	result := a.Dir.Writable(ad.engine.Adopt(p))
	still := &plan.Plan{}
	if len(result.Files) > 0 {
		var found report.Diagnostics
		if still, found = a.planWithFiles(ctx, ad, result.Files); still == nil {
			found.Diagnostics = append(found.Diagnostics, report.Problem("Nothing was written", "With the values "+
				"of the host in its files the configuration would have the errors above. Edit the files by hand."))
			ad.reporter.Diagnostics(found)
			return failed
		}
		if err := a.Dir.Replace(result.Files); err != nil {
			return err
		}
	}
	ad.reporter.Adopted(report.AdoptionOf(result))
	for _, b := range still.Blocked {
		ad.reporter.Note(b.Addr.String() + " cannot be planned with the new files: " + prose.Sentence(b.Reason))
	}
	if err := checkComplete(p); err != nil {
		return err
	}
	if err := checkComplete(still); err != nil {
		return err
	}
	if len(result.Manual) > 0 || !still.Empty() {
		return differs
	}
	return nil
}

// planWithFiles looks for drift with new versions of files, before they are written. The plan is
// nil if the configuration would have errors.
func (a *app) planWithFiles(ctx context.Context, ad adoption, files []rewrite.File) (*plan.Plan, report.Diagnostics) {
	s := ad.settings
	s.Overlay = map[string][]byte{}
	for _, f := range files {
		s.Overlay[f.Name] = f.After
	}
	eng, found := a.open(ctx, a, s)
	if eng == nil {
		return nil, found
	}
	defer eng.Close() // it holds no lock
	p, diags := eng.Plan(ctx, ad.options)
	return p, report.Diagnostics{Diagnostics: diags, Sources: eng.Sources()}
}
