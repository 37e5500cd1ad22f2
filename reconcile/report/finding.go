package report

import (
	"path/filepath"
	"strings"

	"hew/reconcile/config"
	"hew/reconcile/report/prose"
	"hew/schema/pattern"
)

// finding is a part of a document that needs attention.
type finding struct {
	about   about
	rule    string // the same for all that are alike
	title   string // what tells it from these, in a few words
	text    string // what, why, and what to do
	place   *place
	warning bool
}

// about is the kind of thing that a finding is about.
type about string

const (
	ofConfiguration about = "configuration"
	ofGuard         about = "guard"
	ofObject        about = "object" // that could not be planned
	ofCheck         about = "check"
	ofDrift         about = "drift"
	ofChange        about = "change" // that was not done
)

// findings returns the findings of a document, in the order in which they are printed.
func (d *Document) findings() (all []finding) {
	for _, j := range d.Diagnostics {
		f := finding{about: ofConfiguration, rule: slug(j.Summary), title: j.Summary, text: prose.Sentence(j.Detail),
			warning: j.Severity != "error"}
		if r := j.Range; r != nil {
			f.place = &place{d.inRepository(r.Filename), r.Start, r.End}
		}
		all = append(all, f)
	}
	for _, g := range d.Guards {
		f := finding{about: ofGuard, rule: g.Code, title: strings.Join(g.Objects[:min(1, len(g.Objects))], ""),
			text: g.Text, place: d.placed(g.Declared)}
		if len(g.Objects) > 1 {
			f.text += "\n- " + strings.Join(g.Objects, "\n- ")
		}
		f.text += "\n" + g.Fix
		all = append(all, f)
	}
	for _, b := range d.Blocked {
		all = append(all, finding{about: ofObject, rule: "not-planned", title: b.Address, text: prose.Sentence(b.Why),
			place: d.placed(b.Declared)})
	}
	for _, c := range d.checks() {
		if verdict := config.Verdict(c.Status); verdict == config.CheckFailed || verdict == config.CheckErrored {
			all = append(all, finding{about: ofCheck, rule: "check", title: c.Name, text: prose.Sentence(c.Message),
				place: d.placed(c.Declared), warning: true})
		}
	}
	if d.IsDrift() {
		all = append(all, d.drifts()...)
	}
	if o := d.Outcome; o != nil {
		for _, c := range append(o.Failed[:len(o.Failed):len(o.Failed)], o.Skipped...) {
			all = append(all, finding{about: ofChange, rule: "not-done", title: c.Action + " " + c.Address,
				text: prose.Sentence(c.Error), place: d.placed(c.Declared)})
		}
	}
	return all
}

// checks returns the checks of the apply if there was one, else those of the plan.
func (d *Document) checks() []Check {
	if d.Outcome != nil {
		return d.Outcome.Checks
	}
	return d.Checks
}

// drifts returns the findings for what happened on the host, and for undeclared objects.
func (d *Document) drifts() (all []finding) {
	shown := d.Shown().Changes
	for i := range shown {
		c := &shown[i]
		all = append(all, finding{about: ofDrift, rule: "drift", title: c.Address, text: c.driftSentence(),
			place: d.placed(c.Declared), warning: true})
	}
	for _, s := range d.Undeclared {
		all = append(all, finding{about: ofDrift, rule: "stray",
			title: strings.TrimSpace(s.Kind + " " + s.Title + " " + s.Owner), text: "Nobody declares it.",
			warning: true})
	}
	return all
}

// placed returns the place of a declaration, or nil.
func (d *Document) placed(declared string) *place {
	r := rangeOf(declared)
	if r == nil {
		return nil
	}
	return &place{file: d.inRepository(r.Filename), start: position(r.Start)}
}

// inRepository returns the name of a file of the configuration from the top of its
// repository.
func (d *Document) inRepository(file string) string {
	return filepath.ToSlash(filepath.Join(d.Directory, file))
}

var notInSlug = pattern.Lazy(`[^a-z0-9]+`)

// slug returns a name for programs: "Unsupported argument" is unsupported-argument.
func slug(s string) string {
	return strings.Trim(notInSlug().ReplaceAllString(strings.ToLower(s), "-"), "-")
}
