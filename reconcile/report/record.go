package report

import (
	"cmp"
	"io"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// Part is the result of one directory. The only directory of a run has no name.
type Part struct {
	Name string
	Code int // its run ended with
	*Document
}

// NewDocument returns an empty document of a command, written by a version of hew.
func NewDocument(command, version string) *Document {
	return &Document{
		FormatVersion: FormatVersion, HewVersion: version, Command: command, Options: OptionsOf(reconcile.Options{}),
		Changes: []Change{}, Drift: []Event{}, Guards: []Guard{},
		Blocked: []Blocked{}, Undeclared: []Undeclared{}, Checks: []Check{}, Sets: map[string]int{},
		Outputs: map[string]Output{}, Notes: []string{}, Diagnostics: []Diagnostic{},
	}
}

// Write writes the document, or that of several directories.
func Write(out io.Writer, parts []Part) error {
	all := Estate{FormatVersion: FormatVersion, Command: parts[0].Command, Directories: []Directory{}}
	for _, p := range parts {
		d, text, err := p.sealed()
		if err != nil {
			return err
		}
		if p.Name == "" {
			return writeCompact(out, text)
		}
		all.Summary.add(p.Summary)
		all.Directories = append(all.Directories, Directory{p.Name, p.Code, d})
	}
	return WriteJSON(out, all)
}

// RecordPlan adds a plan.
func (d *Document) RecordPlan(p *plan.Plan, kinds schema.Catalog) {
	d.Stats = p.Stats
	d.Planned, d.Applyable, d.Ledgerless, d.Host, d.User = true, p.Applyable, p.Ledgerless, p.Host, p.User
	if p.Unbound == "" {
		d.Digest = p.Digest
	}
	if !d.IsDrift() && !p.Stats.Shared { // the same drift is the same document
		d.Requests, d.Seconds = &p.Stats.Requests, &p.Stats.Seconds
	}
	d.Notes = append(d.Notes, p.Notes...)
	d.Suspended = suspendedOf(p.Suspended)
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Action == plan.NoOp {
			continue
		}
		d.Changes = append(d.Changes, changeOf(c, kinds, func(plan.Cause) bool { return true }))
	}
	d.recordEvents(p, kinds)
	d.Summary = Summary{
		Create: p.Count(plan.Create), Update: p.Count(plan.Update), Replace: p.Count(plan.Replace),
		Delete: p.Count(plan.Delete),
		Adopt:  p.Count(plan.Adopt), Move: p.Count(plan.Move), Release: p.Count(plan.Release),
		Unchanged: p.Count(plan.NoOp), Drift: len(d.Drift), NotFound: p.Count(plan.NotFound),
	}
	for i, sizes := 0, p.SetSizes(); i < len(p.Changes); i++ {
		if set, ok := plan.SetOf(p.Changes[i].Addr); ok {
			d.Sets[set.String()] = sizes[set]
		}
	}
	for _, g := range p.Guards {
		d.Guards = append(d.Guards, Guard{g.Code, g.Text, g.Fix, append([]string{}, g.Objects...), where(g.Decl)})
	}
	for _, b := range p.Blocked {
		d.Blocked = append(d.Blocked, blockedOf(b))
	}
	d.Undeclared = undeclaredOf(p.Undeclared)
	d.Checks = append(d.Checks, checksOf(p.Checks)...)
	d.recordOutputs(p.Outputs)
}

// recordOutputs adds outputs. Those of an apply replace those of the plan.
func (d *Document) recordOutputs(all []config.Output) {
	for _, o := range all {
		d.Outputs[o.Name] = outputOf(o)
	}
}

func outputOf(o config.Output) Output {
	if o.Sensitive || o.Value != cty.NilVal && o.Value.IsMarked() {
		return Output{Sensitive: true, Doc: o.Doc}
	}
	p := ValueOf(o.Value)
	return Output{Value: p.plain, Unknown: p.unknown, Secret: p.secret, Doc: o.Doc}
}

func checksOf(all []config.Check) []Check {
	out := []Check{}
	for _, c := range all {
		out = append(
			out, Check{Name: c.Name, Status: string(c.Verdict), Message: c.Text, Declared: where(&c.DeclRange)},
		)
	}
	return out
}

// RecordOutcome adds the outcome of an apply.
func (d *Document) RecordOutcome(o *apply.Outcome) {
	d.Outcome = &Outcome{Done: doneOf(o.Done), Recorded: doneOf(o.Recorded), Failed: failuresOf(o.Failed),
		Skipped: failuresOf(o.Skipped),
		Checks:  checksOf(o.Checks), Notes: append([]string{}, o.Notes...), Interrupted: o.Interrupted,
		Requests: o.Requests, Seconds: o.Seconds}
	d.recordOutputs(o.Outputs)
}

// changeOf returns a change with those of its paths that have a wanted cause.
func changeOf(c *plan.Change, kinds schema.Catalog, wanted func(plan.Cause) bool) Change {
	j := Change{Address: c.Addr.String(), Action: c.Action.Name(), Sends: c.Changes(), Kind: c.Kind.Name,
		Title: c.Title, Owner: c.Owner,
		Cause: string(c.Cause), Why: c.Why, AdoptsIfFound: c.AdoptsIfFound, Founder: c.CreatorMembership(),
		Restore: c.Restore, Gone: c.Gone, Digest: c.Digest, Declared: where(c.Decl), Paths: []Path{}}
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
			j.Key, _ = PlainValue(showableLive(c, a, v))
		}
	}
	j.Since, j.By = traceOf(c)
	j.Noun, j.Container, j.Opens = word(c.Kind), c.Kind.Tree != nil, opens(c)
	if set, ok := plan.SetOf(c.Addr); ok {
		j.Set, j.Element = set.String(), c.Addr.Elem
		j.Brief = brief(c)
	}
	names := kinds.Alias(c.Addr.Kind, c.Kind)
	if c.Action == plan.Delete {
		j.Before = map[string]any{}
		for a, v := range c.Before.Value.All() {
			if !concealed(c, a) && !isNull(v) {
				j.Before[a.Name], _ = PlainValue(showableLive(c, a, v))
			}
		}
	}
	if c.Action == plan.Create {
		j.Defaults = map[string]any{}
		for a, v := range defaults(c) {
			j.Defaults[a.Name], _ = PlainValue(a.Published(v))
			j.DefaultTexts = append(j.DefaultTexts, names.Written(a.Name)+" = "+spell(a, v))
		}
	}
	for _, p := range c.Paths {
		if wanted(p.Cause) {
			j.Paths = append(j.Paths, pathOf(p, names.Written(p.Attr.Name)))
		}
	}
	return j
}

// concealed reports whether an attribute has a secret, or had one at the last apply, so that the
// live value may still have it.
func concealed(c *plan.Change, a *schema.Attr) bool {
	return a.IsSecret() || schema.IsSecret(c.Before.Get(a.Name)) || schema.IsSecret(c.After.Get(a.Name)) ||
		c.Entry != nil && c.Entry.Owned[a.Name].Secret()
}

func pathOf(p plan.PathChange, written string) Path {
	j := Path{Path: p.Attr.Name, Cause: string(cmp.Or(p.Cause, plan.Unknown)), Note: p.Note,
		Reference: p.Attr.RefKind() != "", AlwaysSecret: p.Attr.IsSecret()}
	if written != p.Attr.Name {
		j.Written = written
	}
	before, after, hidden := showable(p)
	if hidden {
		j.Secret = true
		return j
	}
	b, a := ValueOf(before), ValueOf(after)
	j.Before, j.After, j.Unknown, j.BeforeSecret, j.AfterSecret = b.plain, a.plain, a.unknown, b.secret, a.secret
	if p.Attr.Show != nil {
		j.BeforeText, j.AfterText = spell(p.Attr, before), spell(p.Attr, after)
	}
	return j
}

func blockedOf(b config.Blocked) Blocked {
	j := Blocked{Address: b.Addr.String(), Why: b.Reason, By: []string{}, Declared: where(&b.DeclRange)}
	for _, by := range b.Causes {
		j.By = append(j.By, by.String())
	}
	return j
}

func doneOf(all []plan.Change) []Done {
	out := []Done{}
	for _, c := range all {
		out = append(out, Done{Address: c.Addr.String(), Action: c.Action.Name(), Declared: where(c.Decl)})
	}
	return out
}

func failuresOf(all []apply.Failure) []Done {
	out := []Done{}
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

var (
	Writers = map[string]func(io.Writer, []Part) error{
		"json": Write, "widget": writeWidget, "junit": writeJUnit, "sarif": writeSARIF,
	}
)
