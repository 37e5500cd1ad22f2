package report

import (
	"slices"

	"hew/reconcile/plan"
	"hew/schema"
)

// Event is what others did to one object on the host since the last apply, and what hew apply would
// do about it. All views of drift show events; the changes of a document only undo them.
type Event struct {
	Address   string   `json:"address"`
	Happened  string   `json:"happened"` // see Happening
	Kind      string   `json:"kind"`
	Noun      string   `json:"noun,omitempty"`
	Container bool     `json:"container,omitempty"`
	Set       string   `json:"set,omitempty"`
	Element   string   `json:"element,omitempty"`
	Brief     string   `json:"brief,omitempty"`
	ID        string   `json:"id,omitempty"`
	Title     string   `json:"title,omitempty"`
	Owner     string   `json:"owner,omitempty"`
	Cause     string   `json:"cause"`              // drift; both if the configuration changed too; unknown
	Note      string   `json:"note,omitempty"`     // what else is known of the object
	Since     string   `json:"since,omitempty"`    // when it was added or last changed, if the host tells
	By        string   `json:"by,omitempty"`       // who added it, if the host tells
	Opens     bool     `json:"opens,omitempty"`    // somebody sees or may do more since, or less is asked of people
	Declared  string   `json:"declared,omitempty"` // file:line:column
	Undo      string   `json:"undo,omitempty"`     // the action of hew apply; "" for none
	Guards    []string `json:"guards,omitempty"`   // codes of the guards that stop that
	Paths     []Fact   `json:"paths"`
}

// Fact is the difference that an event makes to one argument: was is the declared value, is the
// live one. Null stands for what is null, unknown or secret.
type Fact struct {
	Path         string `json:"path"`
	Written      string `json:"written,omitempty"` // what the block calls it, where that is another name
	Was          any    `json:"was"`
	Is           any    `json:"is"`
	WasUnknown   parts  `json:"was_unknown,omitempty"`
	Secret       bool   `json:"secret,omitempty"`
	WasSecret    parts  `json:"was_secret,omitempty"`
	IsSecret     parts  `json:"is_secret,omitempty"`
	WasText      string `json:"was_text,omitempty"`
	IsText       string `json:"is_text,omitempty"`
	Renames      bool   `json:"renames,omitempty"` // the object is known by it
	Reference    bool   `json:"reference,omitempty"`
	AlwaysSecret bool   `json:"always_secret,omitempty"`
	Cause        string `json:"cause"`
	Note         string `json:"note,omitempty"`
}

// Happening is what happened to an object.
type Happening string

// The happenings. Marked is an object that is pending deletion; NotFound one for which the host
// answers 404 while mass-404 trips, so that it may exist.
const (
	Added    Happening = "added"
	Changed  Happening = "changed"
	Deleted  Happening = "deleted"
	Marked   Happening = "marked-for-deletion"
	NotFound Happening = "not-found"
)

// restores is the undo of an object that is pending deletion.
const restores = "restore"

// happenings tell what happened by the action that undoes it.
var happenings = map[plan.Action]Happening{
	plan.Create: Deleted, plan.Delete: Added, plan.Update: Changed, plan.Replace: Changed, plan.Adopt: Changed,
	plan.Lost: NotFound,
}

// recordEvents enters what others did. Without a ledger, drift has an event for each difference.
func (d *Document) recordEvents(p *plan.Plan, kinds schema.Catalog) {
	all := p.Ledgerless && d.Command == "drift"
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Drifted() || c.Action == plan.Lost || all && c.Changes() {
			d.Drift = append(d.Drift, eventOf(c, kinds, all))
		}
	}
}

// eventOf returns what a change would undo. all keeps differences of an unknown cause.
func eventOf(c *plan.Change, kinds schema.Catalog, all bool) Event {
	undo := changeOf(c, kinds, func(by plan.Cause) bool { return all || by == plan.ByDrift || by == plan.ByBoth })
	e := Event{Address: undo.Address, Happened: string(happenings[c.Action]), Kind: undo.Kind, Noun: undo.Noun,
		Container: undo.Container, Set: undo.Set, Element: undo.Element, Brief: undo.Brief, ID: undo.ID,
		Title: undo.Title, Owner: undo.Owner, Cause: eventCause(c), Since: undo.Since, By: undo.By, Opens: opened(c),
		Declared: undo.Declared, Undo: undo.Action, Guards: c.Stops, Note: c.Before.State.Waiting(),
		Paths: []Fact{}}
	if c.Action == plan.Create && !c.Gone && e.Cause != string(plan.Unknown) {
		e.Note = "it may never have been created"
	}
	switch {
	case c.Action == plan.Lost:
		e.Undo = ""
	case c.Restore && len(undo.Paths) == 0:
		e.Happened, e.Undo = string(Marked), restores
	}
	if c.Action == plan.Delete {
		names := kinds.Alias(c.Addr.Kind, c.Kind)
		for a, v := range c.Before.Value.All() {
			if !concealed(c, a) && !isNull(v) && a != c.Kind.Owner() {
				p := pathOf(plan.PathChange{Attr: a, Before: v, Cause: c.Cause}, names.Written(a.Name))
				undo.Paths = append(undo.Paths, p)
			}
		}
	}
	for _, p := range undo.Paths {
		e.Paths = append(e.Paths, factOf(c, p))
	}
	return e
}

// eventCause returns the cause of all differences together.
func eventCause(c *plan.Change) string {
	cause := c.Cause
	for _, p := range c.Paths {
		if cause == "" || cause == plan.Unknown || p.Cause == plan.ByBoth {
			cause = p.Cause
		}
	}
	if cause == "" || cause == plan.ByConfig {
		cause = plan.Unknown
		if c.Drifted() {
			cause = plan.ByDrift
		}
	}
	return string(cause)
}

// factOf turns a difference forwards. If the configuration changed too, the ledger has only the
// digest of what was.
func factOf(c *plan.Change, p Path) Fact {
	f := Fact{Path: p.Path, Written: p.Written, Was: p.After, Is: p.Before, WasUnknown: p.Unknown, Secret: p.Secret,
		WasSecret: p.AfterSecret, IsSecret: p.BeforeSecret, WasText: p.AfterText, IsText: p.BeforeText,
		Reference: p.Reference, AlwaysSecret: p.AlwaysSecret, Cause: p.Cause, Note: p.Note}
	switch {
	case c.Action == plan.Create:
		f.IsText = ""
	case c.Action == plan.Delete:
		f.WasText = ""
	default:
		f.Renames = slices.Contains(c.Kind.Match.Keys, p.Path) || c.Kind.Tree != nil && c.Kind.Tree.Segment == p.Path
	}
	if p.Cause == string(plan.ByBoth) {
		f.Was, f.WasText, f.WasSecret, f.WasUnknown = nil, "", nil, true
	}
	return f
}

// opened reports whether what others did widened access or weakened a rule.
func opened(c *plan.Change) bool {
	made := plan.Change{Kind: c.Kind, Action: plan.Update, Before: c.After, After: c.Before}
	switch c.Action {
	case plan.Lost:
		return false
	case plan.Create:
		made.Action = plan.Delete
	case plan.Delete:
		made.Action, made.Before = plan.Create, schema.Object{}
		for a, v := range c.Before.Value.All() {
			made.Paths = append(made.Paths, plan.PathChange{Attr: a, After: v})
		}
		return opens(&made)
	}
	for _, p := range c.Paths {
		if p.Cause != plan.ByConfig {
			made.Paths = append(made.Paths, plan.PathChange{Attr: p.Attr, Before: p.After, After: p.Before})
		}
	}
	return opens(&made)
}
