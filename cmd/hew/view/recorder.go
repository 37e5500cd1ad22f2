package view

import (
	"io"

	"hew/reconcile"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// Recorder is the view for programs: what it was shown is written when it is
// closed, as JSON or in a form that is made of no more than that.
type Recorder struct {
	Out   io.Writer
	Err   Console // for people, who do not see the document: what is wrong, and the sum
	Write func(io.Writer, []report.Part) error
	Parts []report.Part // what is written, or begun by Directory
}

// NewRecorder returns a view that writes a document, which is filled while it is shown.
func NewRecorder(out io.Writer, err Console, write func(io.Writer, []report.Part) error, d *report.Document) *Recorder {
	return &Recorder{Out: out, Err: err, Write: write, Parts: []report.Part{{Document: d}}}
}

// Close writes what is still unwritten.
func (v *Recorder) Close() error { return v.Write(v.Out, v.Parts) }

// Directory begins what there is to say of one of several directories.
func (v *Recorder) Directory(name string, code int) {
	if v.Parts[0].Name == "" {
		v.Parts = nil
	}
	v.Parts = append(v.Parts, report.Part{Name: name, Code: code})
}

// Show shows a run that was written down.
func (v *Recorder) Show(d *report.Document) { v.Parts[len(v.Parts)-1].Document = d }

// Note tells in a sentence what was done beside the answer.
func (v *Recorder) Note(said string) { v.Err.Paragraph(0, said) }

// Changed says nothing: what was done is told at the end.
func (v *Recorder) Changed(reconcile.Event) {}

// Diagnostics shows errors and warnings.
func (v *Recorder) Diagnostics(all []report.Diagnostic) { printDiagnostics(v.Err, all) }

// Plan tells people the sum of the plan.
func (v *Recorder) Plan(d *report.Document) {
	v.Err.Paragraph(0, report.WithCost(d.Total(), d.Stats))
}

// Outcome tells people the sum of the apply.
func (v *Recorder) Outcome(d *report.Document) {
	v.Err.Paragraph(0, prose.WithCost(sum(d), d.Outcome.Requests, d.Outcome.Seconds))
}

// Adopted says what was adopted, which is in the document.
func (v *Recorder) Adopted(j *report.Adoption) { v.Err.Paragraph(0, j.Sum()) }
