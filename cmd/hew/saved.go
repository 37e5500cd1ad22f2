package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/addr"
	"hew/reconcile/plan"
)

var modeNames = map[reconcile.Mode]string{reconcile.Normal: "normal", reconcile.Destroy: "destroy", reconcile.Drift: "drift"}

func optionsOf(o reconcile.Options) jsonOptions {
	return jsonOptions{Mode: modeNames[o.Mode], Target: printed(o.Target), Exclude: printed(o.Exclude), Replace: printed(o.Replace)}
}

func printed(all []addr.Instance) []string {
	out := []string{}
	for _, a := range all {
		out = append(out, a.String())
	}
	return out
}

// again is what the plan was asked for.
func (o jsonOptions) again() (reconcile.Options, error) {
	var target, exclude, replace addresses
	for to, texts := range map[*addresses][]string{&target: o.Target, &exclude: o.Exclude, &replace: o.Replace} {
		for _, text := range texts {
			if err := to.Set(text); err != nil {
				return reconcile.Options{}, err
			}
		}
	}
	for mode, name := range modeNames {
		if name == o.Mode {
			return reconcile.Options{Mode: mode, Target: target, Exclude: exclude, Replace: replace}, nil
		}
	}
	return reconcile.Options{}, fmt.Errorf("options: no mode is called %q", o.Mode)
}

// save writes a plan down for hew apply, whole or not at all, with what was said
// of it.
func (a *app) save(file string, p *plan.Plan, told *document) error {
	if p.Unbound != "" {
		return fmt.Errorf("the plan cannot be saved: %s", p.Unbound)
	}
	if err := clearOf(file); err != nil {
		return err
	}
	path := a.path(file)
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".")
	if err != nil {
		return fmt.Errorf("the plan cannot be saved: %w", err)
	}
	defer os.Remove(f.Name()) // it has its own name by then
	saved := *told
	if saved.Options.Mode == modeNames[reconcile.Destroy] {
		saved.Command = "destroy"
	}
	if err := errors.Join(writeReport(f, []part{{document: &saved}}), f.Chmod(0o644), f.Close()); err != nil {
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
		there = " -chdir=" + pasted(dir)
	}
	return fmt.Sprintf("The plan is saved in %s. To do just this, as long as neither the configuration nor the host moves: hew apply%s %s, or hew apply%s -plan-digest=%s",
		filepath.Join(dir, file), there, pasted(file), there, p.Digest)
}

// applySaved does what a saved plan says, if that is still the plan.
func (a *app) applySaved(cmd *cobra.Command, s settings, f form, file string) error {
	saved, err := a.document(file)
	if err != nil {
		return err
	}
	if err := saved.appliable(file); err != nil {
		return err
	}
	if base := saved.Options.Base; base != "" && s.base == "" {
		return fmt.Errorf("the plan in %s was made with -base=%s, which tells what was applied before. Pass that commit here as well", file, base)
	}
	opts, err := saved.Options.again()
	if err != nil {
		return damaged(file, err)
	}
	return a.carriedOut(cmd, s, f, opts, func(p *plan.Plan) hcl.Diagnostics {
		if p.Digest == saved.Digest {
			return nil
		}
		return hcl.Diagnostics{staleness(file, saved, p)}
	})
}

// appliable says why a document is not a plan that could be applied.
func (d *document) appliable(file string) error {
	switch {
	case !d.Planned:
		return fmt.Errorf("there is no plan in %s: hew %s failed before it had one", file, d.Command)
	case d.Outcome != nil:
		return fmt.Errorf("%s tells of an apply that is done. Save a plan with hew plan -out=FILE", file)
	case d.Options.Mode == modeNames[reconcile.Drift]:
		return fmt.Errorf("%s shows drift, which is nothing that can be applied. hew plan -out=FILE plans to undo it", file)
	case len(d.Guards) > 0:
		return fmt.Errorf("the plan in %s cannot be applied: the guard %s stops it. hew show %s prints the plan and says how to go on", file, d.Guards[0].Code, file)
	case !d.Applyable:
		return fmt.Errorf("the plan in %s cannot be applied; hew show %s prints it", file, file)
	case d.Digest == "":
		return fmt.Errorf("the plan in %s is not bound to what it was made from: %s. hew plan -out=FILE says why", file, "it has no digest")
	case d.Checksum == "":
		return fmt.Errorf("%s does not say what it was when hew wrote it, for it has no checksum. Save a plan with hew plan -out=FILE", file)
	}
	return nil
}

// carriedOut plans, and does what is planned if vet has nothing against it;
// nobody is asked, for it was reviewed before.
func (a *app) carriedOut(cmd *cobra.Command, s settings, f form, opts reconcile.Options, vet func(*plan.Plan) hcl.Diagnostics) error {
	if opts.Mode == reconcile.Destroy {
		f.as = cmp.Or(f.as, "destroy")
	}
	return a.vetted(cmd, s, f, opts, vet, func(ses session, v view, p *plan.Plan) error {
		if !p.Applyable {
			return failed
		}
		return a.carryOut(cmd.Context(), ses, v, p)
	})
}

// reviewed vets a plan by the digest of the one that was reviewed.
func reviewed(digest string) func(*plan.Plan) hcl.Diagnostics {
	return func(p *plan.Plan) hcl.Diagnostics {
		switch {
		case p.Unbound != "":
			return hcl.Diagnostics{problem("Plan has no digest", "Nothing was changed: the plan cannot be compared with the one that was reviewed, because %s.", p.Unbound)}
		case p.Digest != digest:
			return hcl.Diagnostics{problem("Plan has moved", "Nothing was changed: -plan-digest=%s names the plan that was reviewed, and the plan now has the digest %s, "+
				"because the configuration or the host has moved since. Look at it with hew plan and have it reviewed anew; a plan saved with hew plan -out=FILE tells what has moved.", digest, p.Digest)}
		}
		return nil
	}
}
