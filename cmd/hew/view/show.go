package view

import (
	"fmt"

	"hew/reconcile/report"
	"hew/schema"
)

// ShowPart has a view tell what a part of a file says.
func ShowPart(v View, p report.Part, kinds func(name string) *schema.Kind, file string) error {
	again := report.Reread{Kinds: kinds}
	read, err := again.Plan(p.Document)
	if err != nil {
		return report.Damaged(file, err)
	}
	o, err := again.Outcome(p.Outcome)
	if err != nil {
		return report.Damaged(file, err)
	}
	if p.Name != "" {
		v.Directory(p.Name, p.Code)
	}
	v.Show(p.Document, read, o)
	switch {
	case p.Planned:
		return nil
	case p.Name != "":
		return fmt.Errorf("there is no plan of %s in %s: hew %s failed before it had one", p.Name, file, p.Command)
	}
	return fmt.Errorf("there is no plan in %s: hew %s failed before it had one", file, p.Command)
}
