package report

import (
	"cmp"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/schema"
)

// Event is what others did to one object on the host since the last apply, and what hew apply would
// do about it. All views of drift show events; the changes of a document only undo them.
type Event struct {
	Address   string            `json:"address"`
	Happened  DriftKind         `json:"happened"`
	Kind      string            `json:"kind"`
	Noun      string            `json:"noun,omitempty"`
	Container bool              `json:"container,omitempty"`
	Set       string            `json:"set,omitempty"`
	Element   string            `json:"element,omitempty"`
	Brief     string            `json:"brief,omitempty"`
	ID        string            `json:"id,omitempty"`
	Title     string            `json:"title,omitempty"`
	Owner     string            `json:"owner,omitempty"`
	Cause     string            `json:"cause"`              // drift; both if the configuration changed too; unknown
	Note      string            `json:"note,omitempty"`     // what else is known of the object
	Since     string            `json:"since,omitempty"`    // when it was added or last changed, if the host tells
	By        string            `json:"by,omitempty"`       // who added it, if the host tells
	Opens     bool              `json:"opens,omitempty"`    // access is wider or a rule is weaker since
	Declared  string            `json:"declared,omitempty"` // file:line:column
	Undo      string            `json:"undo,omitempty"`     // the action of hew apply; "" for none
	Guards    []string          `json:"guards,omitempty"`   // codes of the guards that stop that
	Obstacle  string            `json:"obstacle,omitempty"` // why hew apply would not undo it
	Paths     []DriftedArgument `json:"paths"`
}

// DriftedArgument is the difference that an event makes to one argument: Was is the declared value
// and Is the live one. Null stands for what is null, unknown or secret.
type DriftedArgument struct {
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

// DriftKind is what happened to an object on the host since the last apply.
type DriftKind string

// The kinds of drift. Missing is a declared object that somebody deleted, or that was never
// created: the ledger does not tell. Failing is an object that does not do what it is for. Marked
// is an object that is pending deletion; Awaiting a member without access until somebody approves
// it; NotFound an object for which the host answers 404 while mass-404 trips, so that it may exist.
const (
	Changed  DriftKind = "changed"
	Added    DriftKind = "added"
	Deleted  DriftKind = "deleted"
	Missing  DriftKind = "missing"
	Marked   DriftKind = "marked-for-deletion"
	Awaiting DriftKind = "awaiting-approval"
	Failing  DriftKind = "failing"
	NotFound DriftKind = "not-found"
)

// driftKinds has how each kind of drift is shown, in the order of totals: by which sign, by which
// name in legends and totals, with a ledger and without, and by which words beside the object.
var driftKinds = []driftWords{
	{Changed, plan.Update, "changed", "differs", "changed by hand"},
	{Added, plan.Create, "added", "undeclared", "added by hand"},
	{Deleted, plan.Delete, "deleted", "missing", "deleted by hand"},
	{Missing, plan.Delete, "missing", "missing", "not on the host: deleted by hand, or never created"},
	{Marked, plan.Delete, "marked for deletion", "marked for deletion", "marked for deletion by hand"},
	{Awaiting, plan.Update, "changed", "differs", "active -> awaiting approval"},
	{Failing, plan.Update, "failing", "failing", "failing on the host"},
	{NotFound, plan.NotFound, "not found", "not found", "not found on the host"},
}

type driftWords struct {
	kind                    DriftKind
	sign                    plan.Action
	name, ledgerless, words string
}

// words returns how a kind of drift is shown. It returns false for an unknown kind.
func (k DriftKind) words() (w driftWords, known bool) {
	for _, w := range driftKinds {
		if w.kind == k {
			return w, true
		}
	}
	return w, false
}

// driftKindOf returns what happened to the object of c, which undoes it.
func driftKindOf(c *plan.Change) DriftKind {
	switch {
	case c.Action == plan.NotFound:
		return NotFound
	case c.LostApproval():
		return Awaiting
	case c.Failing():
		return Failing
	case c.Restore: // hosts rename it, too
		return Marked
	case c.Action == plan.Delete:
		return Added
	case c.Action == plan.Create && !c.Gone && eventCause(c) != string(plan.Unknown):
		return Missing
	case c.Action == plan.Create:
		return Deleted
	}
	return Changed
}

// undoRestore is the undo of an object that is pending deletion.
const undoRestore = "restore"

// recordEvents enters what others did. Without a ledger, drift has an event for each difference, of
// whatever cause.
func (d *Document) recordEvents(p *plan.Plan, kinds schema.Catalog) {
	wanted := func(by plan.Cause) bool { return by == plan.ByDrift || by == plan.ByBoth }
	all := p.Ledgerless && d.IsDrift()
	if all {
		wanted = func(plan.Cause) bool { return true }
	}
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Drifted() || c.Action == plan.NotFound || all && c.Changes() {
			d.Drift = append(d.Drift, eventOf(c, kinds, wanted))
		}
	}
}

// eventOf returns what the change c undoes, with the differences that have a wanted cause.
func eventOf(c *plan.Change, kinds schema.Catalog, wanted func(plan.Cause) bool) Event {
	undo := changeOf(c, kinds, wanted)
	e := Event{Address: undo.Address, Happened: driftKindOf(c), Kind: undo.Kind, Noun: undo.Noun,
		Container: undo.Container, Set: undo.Set, Element: undo.Element, Brief: undo.Brief, ID: undo.ID,
		Title: undo.Title, Owner: undo.Owner, Cause: eventCause(c), Since: undo.Since, By: undo.By,
		Opens: driftOpens(c), Declared: undo.Declared, Undo: undo.Action, Guards: c.Stops,
		Note: cmp.Or(c.Before.State.Waiting(), c.Before.Failure), Obstacle: c.Obstacle, Paths: []DriftedArgument{}}
	switch {
	case e.Happened == Marked:
		e.Undo, e.Note = undoRestore, strings.TrimPrefix(c.Before.Note, "marked for deletion ")
		return e
	case e.Happened == Awaiting:
		e.Undo, e.Note = "", "no access until it is approved on the host"
	case e.Happened == Failing, e.Happened == NotFound || e.Obstacle != "":
		e.Undo = ""
	}
	for _, p := range append(undo.Paths, addedPaths(c, kinds)...) {
		e.Paths = append(e.Paths, driftedArgument(c, p))
	}
	return e
}

// addedPaths returns the arguments of an object that others added, which c deletes.
func addedPaths(c *plan.Change, kinds schema.Catalog) (paths []Path) {
	if c.Action != plan.Delete {
		return nil
	}
	names := kinds.Alias(c.Addr.Kind, c.Kind)
	for a, v := range c.Before.Value.All() {
		if !concealed(c, a) && !isNull(v) && a != c.Kind.Owner() {
			paths = append(paths, pathOf(plan.PathChange{Attr: a, Before: v, Cause: c.Cause}, names.Written(a.Name)))
		}
	}
	return paths
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

// driftedArgument turns a difference forwards. If the configuration changed too, the ledger has
// only the digest of what was.
func driftedArgument(c *plan.Change, p Path) DriftedArgument {
	f := DriftedArgument{Path: p.Path, Written: p.Written, Was: p.After, Is: p.Before, WasUnknown: p.Unknown,
		Secret: p.Secret, WasSecret: p.AfterSecret, IsSecret: p.BeforeSecret, WasText: p.AfterText, IsText: p.BeforeText,
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

// driftOpens reports whether what others did widened access or weakened a rule.
func driftOpens(c *plan.Change) bool {
	made := plan.Change{Kind: c.Kind, Action: plan.Update, Before: c.After, After: c.Before}
	switch c.Action {
	case plan.NotFound:
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
