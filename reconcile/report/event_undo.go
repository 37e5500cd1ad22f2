package report

import (
	"fmt"
	"slices"

	"hew/reconcile/guard"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// undoVerbs has what hew apply would do about an event, by its undo: to an object, and to elements
// of a set, whose names stand between element and suffix. An object is updated as updateVerb says.
var undoVerbs = []struct{ undo, object, element, suffix string }{
	{plan.Delete.Name(), "deletes it", "removes ", ""},
	{plan.Create.Name(), "creates it again", "adds ", " again"},
	{plan.Update.Name(), "", "sets ", " back"},
	{plan.Adopt.Name(), "", "changes ", ""},
	{plan.Replace.Name(), "deletes it and creates it again", "replaces ", ""},
	{undoRestore, "restores it", "restores ", ""},
}

// describeUndo returns what hew apply would do about the events of one entry.
func describeUndo(changes []Change) string {
	e := changes[0].Event
	var acts []string
	switch {
	case e.Set == "" && e.Obstacle != "":
		return "hew apply cannot do it. " + prose.Sentence(prose.Clean(e.Obstacle))
	case e.Set == "":
		acts = prose.NonEmpty(e.undoVerb())
	default:
		acts = undoElements(changes)
	}
	if len(acts) == 0 {
		return ""
	}
	return "hew apply " + prose.Series(acts, "and") + describeStops(changes) + "."
}

// undoElements returns what hew apply would do about elements of a set.
func undoElements(changes []Change) (acts []string) {
	names := map[string][]string{}
	for i := range changes {
		e := changes[i].Event
		names[e.Undo] = append(names[e.Undo], prose.Clean(e.Element))
	}
	for _, v := range undoVerbs {
		if all := names[v.undo]; len(all) > 0 {
			acts = append(acts, v.element+prose.SomeOf(all)+v.suffix)
		}
	}
	return acts
}

// undoVerb returns what hew apply would do about an object, or "" for nothing.
func (e *Event) undoVerb() string {
	if e.Undo == plan.Create.Name() && e.Container {
		return "creates it again, empty and with a new id"
	}
	for _, v := range undoVerbs {
		if v.undo == e.Undo && v.object != "" {
			return v.object
		}
	}
	if e.Undo == "" {
		return ""
	}
	return e.updateVerb()
}

// updateVerb returns how hew apply would set the arguments that others changed.
func (e *Event) updateVerb() string {
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

// undoAll returns what hew apply would do about the events of a group.
func undoAll(changes []Change) string {
	n := 0
	for i := range changes {
		if changes[i].Event.Obstacle != "" {
			n++
		}
	}
	if n == 0 {
		return "hew apply undoes all of them" + describeStops(changes) + "."
	}
	return fmt.Sprintf("hew apply cannot undo %d of them.", n)
}

// describeStops names the guards that stop the undoing, or says what it takes to restore an object.
func describeStops(changes []Change) string {
	var codes []string
	for i := range changes {
		for _, code := range changes[i].Event.Guards {
			if code == guard.Restore {
				return fmt.Sprintf(" if its block has lifecycle { allow = [%q] }", code)
			}
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
