package main

import (
	"cmp"
	"io"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// programs is the view for programs: what it was told is written when it is
// closed, as JSON or in a form that is made of no more than that.
type programs struct {
	out   io.Writer
	doc   *document // the last of parts, which is being told
	parts []part
	write func(io.Writer, []part) error
	err   console // for people, who do not see the document: what is wrong, and the sum
}

// part is what there is of one directory. Where a run is in one alone, that has
// no name.
type part struct {
	name string
	code exit
	*document
}

func newPrograms(out io.Writer, command string) *programs {
	doc := newDocument(command)
	return &programs{out: out, doc: doc, parts: []part{{document: doc}}, write: writeReport, err: console{Writer: io.Discard}}
}

func newDocument(command string) *document {
	return &document{
		FormatVersion: formatVersion, HewVersion: version, Command: command, Options: optionsOf(reconcile.Options{}), Changes: []jsonChange{}, Drift: []jsonChange{}, Guards: []jsonGuard{},
		Blocked: []jsonBlocked{}, Strays: []jsonStray{}, Checks: []jsonCheck{}, Sets: map[string]int{}, Outputs: map[string]jsonOutput{}, Notes: []string{}, Diagnostics: []jsonDiagnostic{},
	}
}

func (v *programs) Close() error { return v.write(v.out, v.parts) }

// writeReport writes the document, or that of several directories.
func writeReport(out io.Writer, parts []part) error {
	all := estateDoc{FormatVersion: formatVersion, Command: parts[0].Command, Directories: []directoryDoc{}}
	for _, p := range parts {
		d, text, err := p.sealed()
		if err != nil {
			return err
		}
		if p.name == "" {
			return writeCompact(out, text)
		}
		all.Summary.add(p.Summary)
		all.Directories = append(all.Directories, directoryDoc{p.name, int(p.code), d})
	}
	return writeJSON(out, all)
}

func (v *programs) Directory(name string, code exit) {
	command := v.parts[0].Command
	if v.parts[0].name == "" {
		v.parts = nil
	}
	v.doc = newDocument(command)
	v.parts = append(v.parts, part{name, code, v.doc})
}

func (v *programs) Show(d *document, _ *plan.Plan, _ *reconcile.Outcome) { *v.doc = *d }

func (v *programs) Note(said string) { v.err.paragraph(0, said) }

func (v *programs) Changed(reconcile.Event) {}

func (v *programs) Diagnostics(r report) {
	r.write(v.err)
	v.doc.Diagnostics = append(v.doc.Diagnostics, diagnosticsOf(r)...)
}

func (v *programs) Plan(p *plan.Plan) {
	d := v.doc
	drift := d.Command == "drift"
	v.err.paragraph(0, costed(total(p, drift), p.Stats))
	d.Planned, d.Applyable, d.Ledgerless, d.Host = true, p.Applyable, p.Ledgerless, p.Host
	if p.Unbound == "" {
		d.Digest = p.Digest
	}
	if !drift && !p.Stats.Shared { // the same drift is the same document
		d.Requests, d.Seconds = &p.Stats.Requests, &p.Stats.Seconds
	}
	d.Notes = append(d.Notes, p.Notes...)
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Action == plan.NoOp {
			continue
		}
		d.Changes = append(d.Changes, changeOf(c, func(plan.Cause) bool { return true }))
		if c.Drifted() {
			d.Drift = append(d.Drift, changeOf(c, func(by plan.Cause) bool { return by == plan.ByDrift || by == plan.ByBoth }))
		}
	}
	d.Summary = summary{
		Create: p.Count(plan.Create), Update: p.Count(plan.Update), Replace: p.Count(plan.Replace), Delete: p.Count(plan.Delete),
		Adopt: p.Count(plan.Adopt), Move: p.Count(plan.Move), Release: p.Count(plan.Release), Unchanged: p.Count(plan.NoOp), Drift: len(d.Drift),
	}
	for e := range entriesIn(p) {
		if e.set {
			d.Sets[e.addr.String()] = e.size
		}
	}
	for _, g := range p.Guards {
		d.Guards = append(d.Guards, jsonGuard{g.Code, g.Text, g.Fix, append([]string{}, g.Objects...), where(g.Decl)})
	}
	for _, b := range p.Blocked {
		d.Blocked = append(d.Blocked, blockedOf(b))
	}
	d.Strays = straysOf(p.Strays)
	d.Checks = append(d.Checks, checksOf(p.Checks)...)
	v.outputs(p.Outputs)
}

// outputs enters outputs; those of an apply are known better than the plan's.
func (v *programs) outputs(all []config.Output) {
	for _, o := range all {
		v.doc.Outputs[o.Name] = jsonOutputOf(o)
	}
}

func jsonOutputOf(o config.Output) jsonOutput {
	if hidden(o) {
		return jsonOutput{Sensitive: true, Doc: o.Doc}
	}
	p := plainOf(o.Value)
	return jsonOutput{Value: p.value, Unknown: p.unknown, Secret: p.secret, Doc: o.Doc}
}

func checksOf(all []config.Check) []jsonCheck {
	out := []jsonCheck{}
	for _, c := range all {
		out = append(out, jsonCheck{Name: c.Name, Status: string(c.Verdict), Message: c.Text, Declared: where(&c.Decl)})
	}
	return out
}

func (v *programs) Outcome(o *reconcile.Outcome) {
	out := &jsonOutcome{Done: doneOf(o.Done), Recorded: doneOf(o.Recorded), Failed: failuresOf(o.Failed), Skipped: failuresOf(o.Skipped),
		Checks: checksOf(o.Checks), Notes: append([]string{}, o.Notes...), Interrupted: o.Interrupted, Requests: o.Requests, Seconds: o.Seconds}
	v.doc.Outcome = out
	v.err.paragraph(0, costing(sum(o, len(v.doc.Blocked)), o.Requests, o.Seconds))
	v.outputs(o.Outputs)
}

// changeOf is a change with those of its paths that have a wanted cause.
func changeOf(c *plan.Change, wanted func(plan.Cause) bool) jsonChange {
	j := jsonChange{Address: c.Addr.String(), Action: c.Action.Name(), Sends: c.Changes(), Kind: c.Kind.Name, Title: c.Title, Owner: c.Owner,
		Cause: string(c.Cause), Why: c.Why, AdoptsIfFound: c.AdoptsIfFound, Founder: c.Founder, Restore: c.Restore, Gone: c.Gone, Digest: c.Digest, Declared: where(c.Decl), Paths: []jsonPath{}}
	if c.From != c.Addr && c.From.Kind != "" {
		j.PreviousAddress = c.From.String()
	}
	for _, o := range []schema.Object{c.Before, c.After} {
		if o.Kind == nil {
			continue
		}
		if j.ID == "" {
			j.ID = o.ID
		}
		if a, v, ok := o.Kind.Match.Key(o); ok && j.Key == nil && !concealed(c, a) {
			j.Key, _ = plainValue(v)
		}
	}
	j.Since, j.By = traceOf(c)
	if _, ok := groupOf(c.Addr); ok {
		j.Element = c.Addr.Elem
	}
	if c.Action == plan.Delete {
		j.Before = map[string]any{}
		for a, v := range c.Before.Value.All() {
			if !concealed(c, a) && !isNull(v) {
				j.Before[a.Name], _ = plainValue(v)
			}
		}
	}
	if c.Action == plan.Create {
		j.Defaults = map[string]any{}
		for a, v := range defaults(c) {
			j.Defaults[a.Name], _ = plainValue(v)
		}
	}
	for _, p := range c.Paths {
		if wanted(p.Cause) {
			j.Paths = append(j.Paths, pathOf(p))
		}
	}
	return j
}

// concealed tells whether an attribute holds a secret or did when it was applied
// last, so that the live one may hold it still.
func concealed(c *plan.Change, a *schema.Attr) bool {
	return a.Secret || schema.IsSecret(c.Before.Get(a.Name)) || schema.IsSecret(c.After.Get(a.Name)) || c.Entry != nil && c.Entry.Owned[a.Name].Secret()
}

func pathOf(p plan.PathChange) jsonPath {
	j := jsonPath{Path: p.Attr.Name, Cause: string(cmp.Or(p.Cause, plan.Unknown)), Note: p.Note}
	before, after, hidden := showable(p)
	if hidden {
		j.Secret = true
		return j
	}
	b, a := plainOf(before), plainOf(after)
	j.Before, j.After, j.Unknown, j.BeforeSecret, j.AfterSecret = b.value, a.value, a.unknown, b.secret, a.secret
	return j
}

func blockedOf(b config.Blocked) jsonBlocked {
	j := jsonBlocked{Address: b.Addr.String(), Why: b.Why, By: []string{}, Declared: where(&b.Decl)}
	for _, by := range b.By {
		j.By = append(j.By, by.String())
	}
	return j
}

func doneOf(all []plan.Change) []jsonDone {
	out := []jsonDone{}
	for _, c := range all {
		out = append(out, jsonDone{Address: c.Addr.String(), Action: c.Action.Name(), Declared: where(c.Decl)})
	}
	return out
}

func failuresOf(all []reconcile.Failure) []jsonDone {
	out := []jsonDone{}
	for _, f := range all {
		j := doneOf([]plan.Change{f.Change})[0]
		j.Made = f.Made
		if f.Err != nil {
			j.Error = f.Err.Error()
		}
		out = append(out, j)
	}
	return out
}
