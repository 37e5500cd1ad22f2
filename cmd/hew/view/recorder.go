package view

import (
	"io"

	"hew/reconcile"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// Recorder is the view for programs: it writes the documents it was shown when it is closed, as
// JSON or in a form made of them.
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

// Close writes the documents.
func (v *Recorder) Close() error { return v.Write(v.Out, v.Parts) }

// Directory begins the document of a directory.
func (v *Recorder) Directory(name string, code int) {
	if v.Parts[0].Name == "" {
		v.Parts = nil
	}
	v.Parts = append(v.Parts, report.Part{Name: name, Code: code})
}

// Show shows a saved run.
func (v *Recorder) Show(d *report.Document) { v.Parts[len(v.Parts)-1].Document = d }

// Note prints a sentence for people.
func (v *Recorder) Note(text string) { v.Err.Paragraph(0, text) }

// Changed does nothing: the outcome comes at the end.
func (v *Recorder) Changed(reconcile.Event) {}

// Diagnostics prints errors and warnings for people.
func (v *Recorder) Diagnostics(all []report.Diagnostic) { printDiagnostics(v.Err, all) }

// Plan prints the summary of the plan for people.
func (v *Recorder) Plan(d *report.Document) {
	v.Err.Paragraph(0, report.WithCost(d.Total(), d.Stats))
}

// Outcome prints the summary of the apply for people.
func (v *Recorder) Outcome(d *report.Document) {
	v.Err.Paragraph(0, prose.WithCost(sum(d), d.Outcome.Requests, d.Outcome.Seconds))
}

// Adopted prints the summary of the adoption for people.
func (v *Recorder) Adopted(j *report.Adoption) { v.Err.Paragraph(0, j.Sum()) }
