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

// reporter records a run in its document and shows the document with a view.
type reporter struct {
	view     view.View
	document *report.Document
	kinds    schema.Catalog
	done     func() error // closes the output
	file     *outputFile  // of -o; nil without
}

// discard keeps the file that the report would replace.
func (r *reporter) discard() {
	if r.file != nil {
		r.file.file.Discard()
	}
}

// Plan records and shows a plan.
func (r *reporter) Plan(p *plan.Plan) {
	r.document.RecordPlan(p, r.kinds)
	r.view.Plan(r.document)
}

// Changed shows one change of an apply that has ended.
func (r *reporter) Changed(e reconcile.Event) { r.view.Changed(e) }

// Outcome records and shows what an apply did.
func (r *reporter) Outcome(o *apply.Outcome) {
	r.document.RecordOutcome(o)
	r.view.Outcome(r.document)
}

// Adopted records and shows which drift was written into files, and which was not.
func (r *reporter) Adopted(j *report.Adoption) {
	r.document.Adoption = j
	r.view.Adopted(j)
}

// Note shows a sentence about the run.
func (r *reporter) Note(sentence string) { r.view.Note(sentence) }

// Diagnostics records and shows errors and warnings.
func (r *reporter) Diagnostics(found report.Diagnostics) {
	all := report.DiagnosticsOf(found)
	r.document.Diagnostics = append(r.document.Diagnostics, all...)
	r.view.Diagnostics(all)
}

// Close writes the rest of the report and closes its output.
func (r *reporter) Close() error { return errors.Join(r.view.Close(), r.done()) }
