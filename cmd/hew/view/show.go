package view

import "hew/reconcile/report"

// ShowPart shows a part of a saved file: a run in one directory.
func ShowPart(v View, p report.Part) {
	if p.Name != "" {
		v.Directory(p.Name, p.Code)
	}
	v.Show(p.Document)
}

// showParts shows a saved run except its diagnostics.
func showParts(v View, d *report.Document) {
	if d.Planned {
		v.Plan(d)
	}
	if d.Adoption != nil {
		v.Adopted(d.Adoption)
	}
	if d.Outcome != nil {
		v.Outcome(d)
	}
}
