package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
	"hew/schema"
)

// save writes a plan down for hew apply, whole or not at all, with what was said
// of it.
func (a *app) save(file string, p *plan.Plan, told *report.Document) error {
	if p.Unbound != "" {
		return fmt.Errorf("the plan cannot be saved: %s", p.Unbound)
	}
	if err := checkOutputFile(file); err != nil {
		return err
	}
	path := a.Path(file)
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".")
	if err != nil {
		return fmt.Errorf("the plan cannot be saved: %w", err)
	}
	defer os.Remove(f.Name()) // it has its own name by then
	saved := *told
	if saved.Options.Mode == report.ModeNames[reconcile.Destroy] {
		saved.Command = "destroy"
	}
	if err := errors.Join(report.Write(f, []report.Part{{Document: &saved}}), f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("the plan cannot be saved: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("the plan cannot be saved: %w", err)
	}
	return nil
}

// savedNote says what can be done with a plan that was saved.
func savedNote(dir, file string, p *plan.Plan) string {
	if !p.Applyable {
		return fmt.Sprintf("The plan is saved in %s. It cannot be applied while a guard stops it; hew show prints it.", file)
	}
	there := ""
	if dir != "" {
		there = " -chdir=" + prose.Pasted(dir)
	}
	return fmt.Sprintf("The plan is saved in %s. To do just this, as long as neither the configuration nor the host moves: hew apply%s %s, or hew apply%s -plan-digest=%s",
		filepath.Join(dir, file), there, prose.Pasted(file), there, p.Digest)
}

// applySaved does what a saved plan says, if that is still the plan.
func (a *app) applySaved(cmd *cobra.Command, s settings, f rendering, file string) error {
	saved, err := a.readDocument(file)
	if err != nil {
		return err
	}
	if err := saved.CheckAppliable(file); err != nil {
		return err
	}
	if base := saved.Options.Base; base != "" && s.Base == "" {
		return fmt.Errorf("the plan in %s was made with -base=%s, which tells what was applied before. Pass that commit here as well", file, base)
	}
	opts, err := saved.Options.Parse()
	if err != nil {
		return report.Damaged(file, err)
	}
	return a.applyReviewed(cmd, s, f, opts, func(p *plan.Plan) hcl.Diagnostics {
		if p.Digest == saved.Digest {
			return nil
		}
		return hcl.Diagnostics{staleness(file, saved, p, a.Kinds, a.Version)}
	})
}

// carriedOut plans, and does what is planned if check has nothing against it;
// nobody is asked, for it was reviewed before.
func (a *app) applyReviewed(cmd *cobra.Command, s settings, f rendering, opts reconcile.Options, check func(*plan.Plan) hcl.Diagnostics) error {
	if opts.Mode == reconcile.Destroy {
		f.as = cmp.Or(f.as, "destroy")
	}
	return a.checkAndShow(cmd, s, f, opts, check, func(ses engine, v *reporter, p *plan.Plan) error {
		if !p.Applyable {
			return failed
		}
		return a.applyPlan(cmd.Context(), ses, v, p)
	})
}

// reviewed vets a plan by the digest of the one that was reviewed.
func checkDigest(digest string) func(*plan.Plan) hcl.Diagnostics {
	return func(p *plan.Plan) hcl.Diagnostics {
		switch {
		case p.Unbound != "":
			return hcl.Diagnostics{report.Problem("Plan has no digest", "Nothing was changed: the plan cannot be compared with the one that was reviewed, because %s.", p.Unbound)}
		case p.Digest != digest:
			return hcl.Diagnostics{report.Problem("Plan has moved", "Nothing was changed: -plan-digest=%s names the plan that was reviewed, and the plan now has the digest %s, "+
				"because the configuration or the host has moved since. Look at it with hew plan and have it reviewed anew; a plan saved with hew plan -out=FILE tells what has moved.", digest, p.Digest)}
		}
		return nil
	}
}

// staleness says what has moved since a plan was saved.
func staleness(file string, saved *report.Document, p *plan.Plan, kinds schema.Catalog, version string) *hcl.Diagnostic {
	now := report.NewDocument(saved.Command, version)
	now.RecordPlan(p, kinds)
	return report.Problem("Plan has moved", "Nothing was changed: %s is not the plan any more. What is different now:\n- %s\nPlan again, and have it reviewed anew.",
		file, strings.Join(report.Moves(saved, now), "\n- "))
}
