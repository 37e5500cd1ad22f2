package cli

import (
	"context"
	"io/fs"
	"path/filepath"

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
	session  session
	view     *reporter
}

// adopt writes what drifted into the files of the configuration and tells what
// is left. The files are planned as they will be before any is written: what
// would then be an error keeps all of them as they are.
func (a *app) adopt(ctx context.Context, ad adoption, p *plan.Plan) error {
	if p.Ledgerless {
		ad.view.Diagnostics(report.Diagnostics{Diagnostics: hcl.Diagnostics{problem("Nothing can be adopted",
			"There is no ledger of this configuration, so hew cannot tell what others changed from what you did, and writes none of it. -base=GITREF tells the two apart by the configuration of a commit.")}})
		return failed
	}
	result := a.withinReach(ad.session.Adopt(p))
	still := &plan.Plan{}
	if len(result.Files) > 0 {
		var found report.Diagnostics
		if still, found = a.rehearse(ctx, ad, result.Files); still == nil {
			found.Diagnostics = append(found.Diagnostics, problem("Nothing was written", "With what the host has in its files the configuration has the errors above. Write it there by hand."))
			ad.view.Diagnostics(found)
			return failed
		}
		if err := a.replace(result.Files); err != nil {
			return err
		}
	}
	ad.view.Adopted(report.AdoptionOf(result))
	for _, b := range still.Blocked {
		ad.view.Note(b.Addr.String() + " cannot be planned with these files: " + prose.Sentence(b.Why))
	}
	if err := verdict(p); err != nil {
		return err
	}
	if err := verdict(still); err != nil {
		return err
	}
	if len(result.Left) > 0 || !still.Empty() {
		return differs
	}
	return nil
}

// rehearse looks for drift with the files as they will be. There is no plan where
// the configuration would have errors.
func (a *app) rehearse(ctx context.Context, ad adoption, files []rewrite.File) (*plan.Plan, report.Diagnostics) {
	s := ad.settings
	s.instead = map[string][]byte{}
	for _, f := range files {
		s.instead[f.Name] = f.After
	}
	ses, found := a.open(ctx, a, s)
	if ses == nil {
		return nil, found
	}
	defer ses.Close() // it has taken no lock, so there is none to free
	p, diags := ses.Plan(ctx, ad.options)
	return p, report.Diagnostics{Diagnostics: diags, Sources: ses.Sources()}
}

// overlaid is a file system in which some files of a directory are taken to hold
// something else.
func overlaid(in fs.FS, dir string, files map[string][]byte) fs.FS {
	if len(files) == 0 {
		return in
	}
	o := overlay{in, map[string][]byte{}}
	for name, content := range files {
		o.files[filepath.ToSlash(filepath.Join(dir, name))] = content
	}
	return o
}

type overlay struct {
	fs.FS
	files map[string][]byte
}

// ReadFile reads a file, or what it is taken to hold.
func (o overlay) ReadFile(name string) ([]byte, error) {
	if content, ok := o.files[name]; ok {
		return content, nil
	}
	return fs.ReadFile(o.FS, name)
}
