package cli

import (
	"errors"

	"hew/cmd/hew/view"
	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/schema"
)

// reporter enters what a run comes to into its document, and has a view show that.
type reporter struct {
	view     view.View
	document *report.Document
	kinds    schema.Catalog
	done     func() error // what there is to do at the end
}

// Plan shows what would be done.
func (r *reporter) Plan(p *plan.Plan) {
	r.document.RecordPlan(p, r.kinds)
	r.view.Plan(r.document)
}

// Changed tells of one change as it ends, in an apply.
func (r *reporter) Changed(e reconcile.Event) { r.view.Changed(e) }

// Outcome shows what an apply did.
func (r *reporter) Outcome(o *apply.Outcome) {
	r.document.RecordOutcome(o)
	r.view.Outcome(r.document)
}

// Adopted shows what was written of a drift, and what was left.
func (r *reporter) Adopted(j *report.Adoption) {
	r.document.Adoption = j
	r.view.Adopted(j)
}

// Note tells in a sentence what was done beside the answer.
func (r *reporter) Note(said string) { r.view.Note(said) }

// Diagnostics shows errors and warnings of the configuration or the run.
func (r *reporter) Diagnostics(found report.Diagnostics) {
	all := report.DiagnosticsOf(found)
	r.document.Diagnostics = append(r.document.Diagnostics, all...)
	r.view.Diagnostics(all)
}

// Close writes what is still unwritten.
func (r *reporter) Close() error { return errors.Join(r.view.Close(), r.done()) }
