package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
)

// readVars reads a -var-file, as of the base commit while that is loaded.
func (e Env) readVars(name string) ([]byte, error) {
	if e.tree != "" {
		return e.varsDir.ReadNamedAt(e.tree, e.Dir, name)
	}
	return e.Dir.ReadNamed(name)
}

// loadBase reads the configuration of the directory, which is cfg now, as of a commit. Diagnostics
// name files by the commit.
func (e Env) loadBase(ctx context.Context, cfg *config.Config, o Options) (*config.Config, report.Diagnostics) {
	fail := func(summary, detail string, args ...any) (*config.Config, report.Diagnostics) {
		return nil, report.Diagnostics{Diagnostics: hcl.Diagnostics{report.Problem(summary, detail, args...)}}
	}
	if err := e.checkNoLedger(cfg, o); err != nil {
		return fail("Conflicting -base and ledger", "%s.", err)
	}
	tmp, err := os.MkdirTemp("", "hew-base-")
	if err != nil {
		return fail("Unreadable base configuration", "%s.", err)
	}
	defer os.RemoveAll(tmp) // the configuration is in memory by then
	tree, checkout, err := e.Dir.Checkout(ctx, o.Base, tmp)
	if err != nil {
		return fail("Unreadable base configuration", "-base=%s: %s.", o.Base, err)
	}
	o.Overlay = nil // the commit has files of its own
	base := e
	base.Dir, base.tree, base.varsDir = checkout, tree, e.Dir
	was, found := base.Read(ctx, o)
	if found.HasErrors() {
		found = found.ErrorsAt(o.Base)
		found.Diagnostics = append(found.Diagnostics, report.Problem("Invalid base configuration",
			"The configuration at -base=%s has the errors above, so hew cannot tell what was applied. Name a "+
				"commit that was applied.", o.Base))
		return nil, found
	}
	return was, report.Diagnostics{}
}

// checkNoLedger refuses -base if there is a ledger, which knows better what was applied.
func (e Env) checkNoLedger(cfg *config.Config, o Options) error {
	if o.Ledger == "none" {
		return nil
	}
	_, err := os.Stat(e.Path(filepath.FromSlash(ledger.DefaultPath)))
	if cfg.Hew().Ledger == nil && errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return errors.New("this configuration has a ledger, which records what was applied. Remove -base, or add " +
		"-ledger=none")
}
