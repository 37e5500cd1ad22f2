package report

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// signOf are the signs of events.
var signOf = map[Happening]plan.Action{
	Added: plan.Create, Changed: plan.Update, Deleted: plan.Delete, Marked: plan.Update, NotFound: plan.Lost,
}

// Shown returns the document with the changes that people are shown: for drift what happened on the
// host, else those of the plan.
func (d *Document) Shown() *Document {
	if d.Command != "drift" {
		return d
	}
	shown := *d
	shown.Changes = make([]Change, len(d.Drift))
	for i := range d.Drift {
		shown.Changes[i] = d.Drift[i].change()
	}
	return &shown
}

// change returns the event in the form of a change, as if the person who drifted had planned it.
func (e *Event) change() Change {
	sign := signOf[Happening(e.Happened)]
	c := Change{Event: e, Address: e.Address, Action: sign.Name(), Sends: sign != plan.Lost, Kind: e.Kind, Noun: e.Noun,
		Container: e.Container, Set: e.Set, Element: e.Element, Brief: e.Brief, ID: e.ID, Title: e.Title,
		Owner: e.Owner, Cause: e.Cause, Opens: e.Opens, Declared: e.Declared, Since: e.Since, By: e.By}
	if sign != plan.Update {
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

// unknownBefore stands for a value of which the ledger has only the digest.
const unknownBefore = "(unknown)"

// eventItem returns the item of one object.
func eventItem(c *Change) Item {
	it := Item{Sign: c.Sign(), Name: prose.Clean(c.Address), Title: prose.Clean(c.Title) + c.ofOwner()}
	if it.Rows = attrRows(c, c.Paths); len(it.Rows) == 0 {
		it.Cause = c.Event.said()
	} else {
		it.Cause = prose.Clean(c.Event.Note) // its rows say the rest
	}
	return it
}

// said returns what happened to the whole object, by whom and when: added by root, 2026-11-28 14:03
// UTC.
func (e *Event) said() string {
	words := map[Happening]string{Added: "added by hand", Deleted: "deleted by hand",
		Marked: "marked for deletion by hand", NotFound: "not found on the host", Changed: "changed by hand"}
	text := words[Happening(e.Happened)]
	switch {
	case e.Cause == string(plan.Unknown) && e.Happened != string(NotFound):
		text = ""
	case e.Happened == string(Added) && e.Since+e.By != "":
		text = "added" + e.traced()
	case e.Happened == string(Changed):
		text += e.traced()
	}
	return strings.Join(append(prose.NonEmpty(text), prose.NonEmpty(prose.Clean(e.Note))...), "; ")
}

// traced returns who did it and when, as far as the host tells.
func (e *Event) traced() string {
	switch {
	case e.Happened == string(Added):
		return strings.TrimPrefix(origin(e.Since, e.By), ", added")
	case e.Since != "":
		return ", last changed " + moment(e.Since)
	}
	return ""
}

// saidOf returns what happened to one argument.
func (e *Event) saidOf(i int, secret bool) string {
	f, text := &e.Paths[i], "changed by hand"
	if f.Renames {
		text = "renamed by hand"
	}
	if secret {
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
	return text + e.traced()
}

// undoOf says what hew apply would do about the events of one entry, and where it is declared.
func undoOf(changes []Change) string {
	e := changes[0].Event
	var acts []string
	if e.Set == "" {
		acts = prose.NonEmpty(e.undo())
	} else {
		names := map[string][]string{}
		for i := range changes {
			of := changes[i].Event
			names[of.Undo] = append(names[of.Undo], prose.Clean(of.Element))
		}
		for _, u := range []struct{ undo, verb, suffix string }{
			{"delete", "removes ", ""}, {"create", "adds ", " again"}, {"update", "sets ", " back"},
			{"adopt", "changes ", ""}, {"replace", "replaces ", ""},
		} {
			if all := names[u.undo]; len(all) > 0 {
				acts = append(acts, u.verb+prose.SomeOf(all)+u.suffix)
			}
		}
	}
	if len(acts) == 0 {
		return ""
	}
	return "hew apply " + prose.Series(acts, "and") + stopsOf(changes) + "."
}

// undo says what hew apply would do about an object.
func (e *Event) undo() string {
	switch e.Undo {
	case "create":
		if e.Container {
			return "creates it again, empty and with a new id"
		}
		return "creates it again"
	case "delete":
		return "deletes it"
	case "replace":
		return "deletes it and creates it again"
	case restores:
		return "restores it"
	case "":
		return ""
	}
	names, as := []string{}, " back"
	for _, f := range e.Paths {
		names = append(names, prose.Clean((&Path{Path: f.Path, Written: f.Written}).name()))
		if f.Cause != string(plan.ByDrift) {
			as = " as declared"
		}
	}
	if len(names) <= prose.MaxListed {
		return "sets " + prose.Series(names, "and") + as
	}
	return "sets " + prose.SomeOf(names) + as
}

// stopsOf names the guards that stop the undoing.
func stopsOf(changes []Change) string {
	var codes []string
	for i := range changes {
		for _, code := range changes[i].Event.Guards {
			if code = prose.Clean(code); !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	switch len(codes) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(", which the guard %s stops", codes[0])
	}
	return fmt.Sprintf(", which the guards %s stop", prose.Series(codes, "and"))
}

// Told returns what happened in one line: visibility "private" -> "public" changed by hand.
func (c *Change) Told() string {
	rows := attrRows(c, c.Paths)
	if len(rows) == 0 {
		return strings.Join(append(prose.NonEmpty(prose.Clean(c.Brief)), prose.NonEmpty(c.Event.said())...), ", ")
	}
	var said []string
	for _, r := range rows {
		said = append(said, strings.TrimSpace(strings.Join([]string{r.Name, r.Value, r.Cause}, " ")))
	}
	return strings.Join(append(said, prose.NonEmpty(prose.Clean(c.Event.Note))...), "; ")
}

// told returns the same as a sentence, and how hew apply would undo it.
func (c *Change) told() string {
	text := c.Told()
	if len(c.Paths) == 0 {
		text = prose.Sentence(text)
	} else {
		text += "."
	}
	if undo := undoOf([]Change{*c}); undo != "" {
		text += " To undo: " + undo
	}
	return text
}
