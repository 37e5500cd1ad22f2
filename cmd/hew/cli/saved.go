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

// savePlan writes the document of a plan to a file for hew apply, in one step.
func (a *app) savePlan(file string, p *plan.Plan, d *report.Document) error {
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
	defer os.Remove(f.Name()) // fails once it is renamed
	saved := *d
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

// savedNote returns a sentence about how to apply a saved plan.
func savedNote(dir, file string, p *plan.Plan) string {
	if !p.Applyable {
		return fmt.Sprintf("Plan saved to %s. It cannot be applied because a guard stops it; hew show prints it.", file)
	}
	chdir := ""
	if dir != "" {
		chdir = " -chdir=" + prose.Pasted(dir)
	}
	return fmt.Sprintf("Plan saved to %s. To apply exactly this plan, run: hew apply%s %s, or hew apply%s "+
		"-plan-digest=%s",
		filepath.Join(dir, file), chdir, prose.Pasted(file), chdir, p.Digest)
}

// applySaved applies a saved plan, if planning again leads to the same plan.
func (a *app) applySaved(cmd *cobra.Command, s settings, f rendering, file string) error {
	saved, err := a.readDocument(file)
	if err != nil {
		return err
	}
	if err := saved.CheckAppliable(file); err != nil {
		return err
	}
	if base := saved.Options.Base; base != "" && s.Base == "" {
		return fmt.Errorf("the plan in %s was made with -base=%s. Pass the same -base to hew apply", file, base)
	}
	opts, err := saved.Options.Parse()
	if err != nil {
		return report.Damaged(file, err)
	}
	return a.applyReviewed(cmd, s, f, opts, func(p *plan.Plan) hcl.Diagnostics {
		if p.Digest == saved.Digest {
			return nil
		}
		return hcl.Diagnostics{planChanged(file, saved, p, a.Kinds(), a.Version)}
	})
}

// applyReviewed plans, and applies the plan without asking if check finds no errors.
func (a *app) applyReviewed(
	cmd *cobra.Command, s settings, f rendering, opts reconcile.Options, check func(*plan.Plan) hcl.Diagnostics,
) error {
	if opts.Mode == reconcile.Destroy {
		f.as = cmp.Or(f.as, "destroy")
	}
	return a.checkAndShow(cmd, s, f, opts, check, func(eng engine, r *reporter, p *plan.Plan) error {
		if !p.Applyable {
			return failed
		}
		return a.applyPlan(cmd.Context(), eng, r, p)
	})
}

// checkDigest returns a check that a plan has the digest of the reviewed one.
func checkDigest(digest string) func(*plan.Plan) hcl.Diagnostics {
	return func(p *plan.Plan) hcl.Diagnostics {
		switch {
		case p.Unbound != "":
			return hcl.Diagnostics{report.Problem("Plan has no digest", "Nothing was changed. The plan cannot be "+
				"compared with the reviewed one, because %s.", p.Unbound)}
		case p.Digest != digest:
			return hcl.Diagnostics{report.Problem("Plan is stale", "Nothing was changed. The current plan "+
				"(digest %s) differs from the reviewed one (digest %s). Run hew plan again and have the new plan "+
				"reviewed. To see what changed, save plans with hew plan -out=FILE.", p.Digest, digest)}
		}
		return nil
	}
}

// planChanged returns an error that lists the differences between a saved plan and the plan now.
func planChanged(
	file string, saved *report.Document, p *plan.Plan, kinds schema.Catalog, version string,
) *hcl.Diagnostic {
	now := report.NewDocument(saved.Command, version)
	now.RecordPlan(p, kinds)
	return report.Problem("Saved plan is stale", "Nothing was changed. The plan differs from the one in %s:\n- "+
		"%s\nRun hew plan again and have the new plan reviewed.",
		file, strings.Join(report.Moves(saved, now), "\n- "))
}
