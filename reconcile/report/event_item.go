package report

import (
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// IsDrift reports whether the document is of hew drift, which shows what others did.
func (d *Document) IsDrift() bool { return d.Command == "drift" }

// Shown returns the document with the changes that people are shown: for drift what happened on the
// host, else those of the plan.
func (d *Document) Shown() *Document {
	if !d.IsDrift() {
		return d
	}
	shown := *d
	shown.Changes = make([]Change, len(d.Drift))
	for i := range d.Drift {
		shown.Changes[i] = d.Drift[i].change()
	}
	return &shown
}

// change returns the event in the form of a change, so that the views of plans can show it.
func (e *Event) change() Change {
	shown, _ := e.Happened.words()
	c := Change{Event: e, Address: e.Address, Action: shown.sign.Name(), Sends: shown.sign != plan.NotFound,
		Kind: e.Kind, Noun: e.Noun, Container: e.Container, Set: e.Set, Element: e.Element, Brief: e.Brief, ID: e.ID,
		Title: e.Title, Owner: e.Owner, Cause: e.Cause, Opens: e.Opens, Declared: e.Declared, Since: e.Since, By: e.By}
	if shown.sign != plan.Update {
		return c // the object as a whole is shown
	}
	for _, f := range e.Paths {
		p := Path{Path: f.Path, Written: f.Written, Before: f.Was, After: f.Is, Secret: f.Secret,
			BeforeSecret: f.WasSecret, AfterSecret: f.IsSecret, BeforeText: f.WasText, AfterText: f.IsText,
			Reference: f.Reference, AlwaysSecret: f.AlwaysSecret, Cause: f.Cause, Note: f.Note}
		if f.WasUnknown != nil && !f.Secret {
			p.BeforeText, p.AfterText = unknownBefore, p.after().Literal()
			if f.IsText != "" {
				p.AfterText = f.IsText
			}
		}
		c.Paths = append(c.Paths, p)
	}
	return c
}

// unknownBefore stands for a value whose digest alone is in the ledger.
const unknownBefore = "(unknown)"

// eventItem returns the item of one object.
func eventItem(c *Change) Item {
	it := Item{Sign: c.Sign(), Name: prose.Clean(c.Address), Title: prose.Clean(c.Title) + c.ofOwner()}
	if it.Rows = attrRows(c, c.Paths); len(it.Rows) == 0 {
		it.Cause = c.Event.describe()
	} else {
		it.Cause = prose.Clean(c.Event.Note) // its rows say the rest
	}
	return it
}

// describe returns what happened to the whole object, by whom and when: added by root, 2026-11-28
// 14:03 UTC.
func (e *Event) describe() string {
	shown, _ := e.Happened.words()
	text := shown.words
	switch {
	case e.Cause == string(plan.Unknown) && e.Happened != NotFound:
		text = ""
	case e.Happened == Added && e.Since+e.By != "":
		text = "added" + e.attribution()
	case e.Happened == Changed:
		text += e.attribution()
	case e.Happened == Marked:
		return text + " " + prose.Clean(e.Note) + "; the host deletes it some days later"
	}
	return strings.Join(append(prose.NonEmpty(text), prose.NonEmpty(prose.Clean(e.Note))...), "; ")
}

// attribution returns who did it and when, as far as the host tells.
func (e *Event) attribution() string {
	switch {
	case e.Happened == Added:
		return strings.TrimPrefix(origin(e.Since, e.By), ", added")
	case e.Since != "":
		return ", last changed " + moment(e.Since)
	}
	return ""
}

// describeArgument returns what happened to one argument.
func (e *Event) describeArgument(f *DriftedArgument) string {
	text := "changed by hand"
	if f.Renames {
		text = "renamed by hand"
	}
	if f.Secret {
		text = "secret " + text
	}
	switch {
	case f.Cause == string(plan.Unknown):
		return ""
	case f.Note != "":
		return prose.Clean(f.Note)
	case f.Cause == string(plan.ByBoth):
		text += "; the configuration changed too"
	}
	return text + e.attribution()
}

// DriftLine returns what happened in one line: visibility "private" -> "public" changed by hand.
func (c *Change) DriftLine() string {
	rows := attrRows(c, c.Paths)
	if len(rows) == 0 {
		return strings.Join(append(prose.NonEmpty(prose.Clean(c.Brief)), prose.NonEmpty(c.Event.describe())...), ", ")
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.TrimSpace(strings.Join([]string{r.Name, r.Value, r.Cause}, " ")))
	}
	return strings.Join(append(lines, prose.NonEmpty(prose.Clean(c.Event.Note))...), "; ")
}

// driftSentence returns the same as a sentence, and how hew apply would undo it.
func (c *Change) driftSentence() string {
	text := c.DriftLine()
	if len(c.Paths) == 0 {
		text = prose.Sentence(text)
	} else {
		text += "."
	}
	if undo := describeUndo([]Change{*c}); undo != "" {
		text += " To undo: " + undo
	}
	return text
}
