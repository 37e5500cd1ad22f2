package report

import (
	"fmt"

	"hew/reconcile"
	"hew/reconcile/addr"
)

// ModeNames are the names of the modes of a plan in documents.
var ModeNames = map[reconcile.Mode]string{
	reconcile.Normal: "normal", reconcile.Destroy: "destroy", reconcile.Drift: "drift",
}

// OptionsOf returns the options of a plan in the form of documents.
func OptionsOf(o reconcile.Options) Options {
	return Options{
		Mode: ModeNames[o.Mode], Target: printed(o.Target), Exclude: printed(o.Exclude), Replace: printed(o.Replace),
	}
}

func printed(all []addr.Instance) []string {
	out := []string{}
	for _, a := range all {
		out = append(out, a.String())
	}
	return out
}

// Parse returns the options of the plan.
func (o Options) Parse() (reconcile.Options, error) {
	var target, exclude, replace []addr.Instance
	for to, texts := range map[*[]addr.Instance][]string{&target: o.Target, &exclude: o.Exclude, &replace: o.Replace} {
		for _, text := range texts {
			at, err := addr.Parse(text)
			if err != nil {
				return reconcile.Options{}, fmt.Errorf("options: %w", err)
			}
			*to = append(*to, at)
		}
	}
	for mode, name := range ModeNames {
		if name == o.Mode {
			return reconcile.Options{Mode: mode, Target: target, Exclude: exclude, Replace: replace}, nil
		}
	}
	return reconcile.Options{}, fmt.Errorf("options: no mode is called %q", o.Mode)
}

// CheckAppliable returns an error if a document is not a plan that can be applied.
func (d *Document) CheckAppliable(file string) error {
	switch {
	case !d.Planned:
		return fmt.Errorf(
			"%s contains no plan, because hew %s failed. Fix its errors and run it again", file, d.Command,
		)
	case d.Outcome != nil:
		return fmt.Errorf("%s tells of an apply that is done. Save a plan with hew plan -out=FILE", file)
	case d.Options.Mode == ModeNames[reconcile.Drift]:
		return fmt.Errorf(
			"%s shows drift, which is nothing that can be applied. hew plan -out=FILE plans to undo it", file,
		)
	case len(d.Guards) > 0:
		return fmt.Errorf("the plan in %s cannot be applied: the guard %s stops it. hew show %s prints the plan and "+
			"says how to go on", file, d.Guards[0].Code, file)
	case !d.Applyable:
		return fmt.Errorf("the plan in %s cannot be applied; hew show %s prints it", file, file)
	case d.Digest == "":
		return fmt.Errorf("the plan in %s is not bound to what it was made from: %s. hew plan -out=FILE says why", file,
			"it has no digest")
	case d.Checksum == "":
		return fmt.Errorf("%s does not say what it was when hew wrote it, for it has no checksum. Save a plan with "+
			"hew plan -out=FILE", file)
	}
	return nil
}
