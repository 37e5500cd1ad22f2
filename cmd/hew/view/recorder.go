package view

import (
	"io"

	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// Recorder is the view for programs: what it was told is written when it is
// closed, as JSON or in a form that is made of no more than that.
type Recorder struct {
	Out   io.Writer
	Doc   *report.Document // the last of parts, which is being told
	Parts []report.Part
	Write func(io.Writer, []report.Part) error
	Err   Console // for people, who do not see the document: what is wrong, and the sum
}

func NewRecorder(out io.Writer, command, version string) *Recorder {
	doc := report.NewDocument(command, version)
	return &Recorder{Out: out, Doc: doc, Parts: []report.Part{{Document: doc}}, Write: report.Write, Err: Console{Writer: io.Discard}}
}

func (v *Recorder) Close() error { return v.Write(v.Out, v.Parts) }

func (v *Recorder) Directory(name string, code int) {
	first := v.Parts[0]
	if first.Name == "" {
		v.Parts = nil
	}
	v.Doc = report.NewDocument(first.Command, first.HewVersion)
	v.Parts = append(v.Parts, report.Part{Name: name, Code: code, Document: v.Doc})
}

func (v *Recorder) Show(d *report.Document, _ *plan.Plan, _ *apply.Outcome) { *v.Doc = *d }

func (v *Recorder) Note(said string) { v.Err.Paragraph(0, said) }

func (v *Recorder) Changed(reconcile.Event) {}

func (v *Recorder) Diagnostics(r report.Diagnostics) {
	WriteDiagnostics(r, v.Err)
	v.Doc.Diagnostics = append(v.Doc.Diagnostics, report.DiagnosticsOf(r)...)
}

func (v *Recorder) Plan(p *plan.Plan) {
	v.Err.Paragraph(0, report.WithCost(report.Total(p, v.Doc.Command == "drift"), p.Stats))
	v.Doc.RecordPlan(p)
}

func (v *Recorder) Outcome(o *apply.Outcome) {
	v.Doc.RecordOutcome(o)
	v.Err.Paragraph(0, prose.WithCost(sum(o, len(v.Doc.Blocked)), o.Requests, o.Seconds))
}
