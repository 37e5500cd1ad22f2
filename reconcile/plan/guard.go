package plan

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// Facts are what guards look at beside the changes.
type Facts struct {
	Limits  config.Guards
	Self    schema.Self
	Ledger  *ledger.Ledger // nil without one
	Destroy bool           // the command asks to delete everything
	// Declared counts resource instances, blocked ones included.
	Declared int
	// Managed counts live objects under management, for the limit per run.
	Managed int
	// Live holds the objects of every collection read.
	Live map[schema.Collection][]schema.Object
	// Lost names owners and collections that the ledger knows and that answer
	// 404 although what holds them is readable.
	Lost []Lost
}

// Lost is something the ledger knows and the host answers 404 for.
type Lost struct {
	Title string
	Addr  addr.Instance
	Whole bool // a whole collection under a readable owner, not one object
}

// The codes of guards that a resource (or a removed block) can lift for its
// own objects, and that other packages speak of.
const (
	AdoptedDelete  = "adopted-delete"
	UnmarkedRename = "unmarked-rename"
	Mass404        = "mass-404"
)

// Restore is no guard: allow = ["restore"] brings back what is marked for
// deletion.
const Restore = "restore"

// Guard runs every guard over the plan and records what trips.
func (p *Plan) Guard(f *Facts) {
	p.Guards = nil
	for _, g := range guards {
		for _, finding := range g.trip(p.under(g), p, f) {
			finding.Code = g.Code
			p.Guards = append(p.Guards, finding)
		}
	}
	p.Applyable = len(p.Guards) == 0
}

// under returns the changes that a guard looks at.
func (p *Plan) under(g guard) []*Change {
	changes := make([]*Change, 0, len(p.Changes))
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action != NoOp && !(g.Lift && c.lifts(g.Code)) {
			changes = append(changes, c)
		}
	}
	return changes
}

// lifts tells whether a guard that objects can lift is lifted for this one.
func (c *Change) lifts(code string) bool { return slices.Contains(c.Allow, code) }

func emptyConfig(_ []*Change, _ *Plan, f *Facts) []Finding {
	if f.Destroy || f.Declared > 0 || f.Ledger == nil || len(f.Ledger.Entries) == 0 || f.Limits.AllowEmpty {
		return nil
	}
	return []Finding{{
		Text: fmt.Sprintf("The configuration declares nothing, while the ledger has %s.", count(len(f.Ledger.Entries), "object")),
		Fix:  "Check that this is the right directory and that every count and for_each is as meant. To delete it all run hew destroy, or set allow_empty = true in hew { guards { … } }.",
	}}
}

func mass404(_ []*Change, _ *Plan, f *Facts) []Finding {
	if f.Limits.AllowRecreate {
		return nil
	}
	owners := 0
	whole := false
	var titles []string
	for _, l := range f.Lost {
		titles = append(titles, l.Title)
		if l.Whole {
			whole = true
		} else {
			owners++
		}
	}
	if owners < 2 && !whole {
		return nil
	}
	return []Finding{{
		Text:    fmt.Sprintf("%s that the ledger knows answer 404: more likely out of sight than gone.", count(len(f.Lost), "object")),
		Fix:     "Check the token's access and the host. If they are really gone, remove them with hew ledger rm and plan again, or set allow_recreate = true in hew { guards { … } } to make them anew.",
		Objects: titles,
	}}
}

func recreate(changes []*Change, _ *Plan, f *Facts) []Finding {
	if f.Limits.AllowRecreate {
		return nil
	}
	var out []Finding
	for _, c := range changes {
		if c.Action == Create && c.Gone && c.Kind.Tree != nil {
			out = append(out, Finding{
				Text:    fmt.Sprintf("%s was managed by hew and is gone from the host; creating it again makes an empty %s with a new id.", c.Title, c.Kind.Name),
				Fix:     "If it was deleted on purpose remove its block, or hew ledger rm its address; to create it again set allow_recreate = true in hew { guards { … } }.",
				Objects: []string{c.Addr.String()},
				Decl:    c.Decl,
			})
		}
	}
	return out
}

// massDelete counts what goes against what is there, per collection and per
// run.
func massDelete(changes []*Change, p *Plan, f *Facts) []Finding {
	if f.Destroy {
		return nil
	}
	var all []string
	gone := map[schema.Collection][]string{}
	where := map[schema.Collection]*Change{}
	var order []schema.Collection
	for _, c := range changes {
		if !c.Removes() {
			continue
		}
		all = append(all, c.Addr.String())
		if where[c.Collection] == nil {
			where[c.Collection] = c
			order = append(order, c.Collection)
		}
		gone[c.Collection] = append(gone[c.Collection], c.Addr.String())
	}
	var out []Finding
	for _, coll := range order {
		n, of := len(gone[coll]), p.Sizes[coll]
		if limit := deletes(f.Limits, of); n > limit {
			c := where[coll]
			out = append(out, Finding{
				Text:    fmt.Sprintf("%d of %d objects of kind %s in %s would be deleted; %d are allowed.", n, of, c.Kind.Name, titleOr(c.Owner, "the instance"), limit),
				Fix:     massDeleteFix,
				Objects: gone[coll],
				Decl:    c.Decl,
			})
		}
	}
	if limit := deletes(f.Limits, f.Managed); len(all) > limit && len(out) == 0 {
		out = append(out, Finding{
			Text:    fmt.Sprintf("%d of %d managed objects would be deleted in one run; %d are allowed.", len(all), f.Managed, limit),
			Fix:     massDeleteFix,
			Objects: all,
		})
	}
	return out
}

const massDeleteFix = `If this is meant, put lifecycle { allow = ["mass-delete"] } on the blocks, or for blocks that are gone into removed { from = ADDRESS }, or raise max_deletes or max_delete_percent in hew { guards { … } }.`

// deletes is how many of n objects may go.
func deletes(l config.Guards, n int) int {
	return max(or(l.MaxDeletes, 3), n*or(l.MaxDeletePercent, 25)/100)
}

func adoptedDelete(changes []*Change, _ *Plan, _ *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		if c.Action != Delete || c.Stray || c.Entry == nil || c.Entry.Created || c.Successor != (addr.Instance{}) {
			continue
		}
		leave := "To leave it on the host set destroy = false there."
		if c.declared() {
			leave = "To leave it on the host put a removed block with destroy = false in the place of its own."
		}
		out = append(out, Finding{
			Text:    fmt.Sprintf("%s was there before hew managed it and would be deleted for good.", titleOr(c.Title, c.Addr.String())),
			Fix:     c.lift(AdoptedDelete, leave),
			Objects: []string{c.Addr.String()},
			Decl:    c.Decl,
		})
	}
	return out
}

func preventDestroy(changes []*Change, _ *Plan, _ *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		marked := c.Entry != nil && c.Entry.Protected || c.Desired != nil && c.Desired.Block != nil && c.Desired.Block.Lifecycle.PreventDestroy
		if !marked || !c.Removes() && !c.Resets() {
			continue
		}
		what := "deleted"
		if c.Resets() {
			what = "given back to its defaults"
		}
		out = append(out, Finding{
			Text:    fmt.Sprintf("%s is marked prevent_destroy and would be %s.", titleOr(c.Title, c.Addr.String()), what),
			Fix:     c.lift("prevent-destroy", "Or take the mark away, and apply that first."),
			Objects: []string{c.Addr.String()},
			Decl:    c.Decl,
		})
	}
	return out
}

// unmarkedRename looks for a deletion and a creation that are one object under
// two addresses.
func unmarkedRename(changes []*Change, _ *Plan, _ *Facts) []Finding {
	made := map[*schema.Kind][]*Change{}
	for _, c := range changes {
		if c.Action == Create {
			made[c.Kind] = append(made[c.Kind], c)
		}
	}
	var out []Finding
	for _, c := range changes {
		if c.Action != Delete || c.Stray || c.Entry == nil || c.Successor != (addr.Instance{}) {
			continue
		}
		n := slices.IndexFunc(made[c.Kind], func(m *Change) bool { return alike(c, m) })
		if n < 0 {
			continue
		}
		m := made[c.Kind][n]
		made[c.Kind] = slices.Delete(made[c.Kind], n, n+1)
		out = append(out, Finding{
			Text: fmt.Sprintf("%s would be deleted and %s created; they look like one %s under a new name.", titleOr(c.Title, c.Addr.String()), titleOr(m.Title, m.Addr.String()), c.Kind.Name),
			Fix: fmt.Sprintf("To rename it add\n\nmoved {\n  from = %s\n  to   = %s\n}\n\nIf they are two things, put lifecycle { allow = [%q] } on the new one.",
				c.Addr, m.Addr, UnmarkedRename),
			Objects: []string{c.Addr.String(), m.Addr.String()},
			Decl:    m.Decl,
		})
	}
	return out
}

// alike tells whether two changes of a kind look like one object: things with a
// path of their own in one collection, or with one last part in two; others in
// one collection and alike in every stated attribute but the key.
func alike(gone, made *Change) bool {
	t := gone.Kind.Tree
	switch {
	case gone.Addr.Block == made.Addr.Block:
		return false // another key of one for_each is another thing
	case gone.Collection == made.Collection && t != nil:
		return true
	case t != nil:
		return gone.Kind.Attr(t.Segment).Equal(gone.Before.Get(t.Segment), made.After.Get(t.Segment))
	case gone.Collection != made.Collection:
		return false
	}
	same := 0
	for a, v := range made.After.Value.All() {
		if slices.Contains(gone.Kind.Match.Keys, a.Name) || a == gone.Kind.Owner() || a.Secret || v.IsNull() {
			continue
		}
		if !a.Equal(v, gone.Before.Get(a.Name)) {
			return false
		}
		same++
	}
	return same > 0
}

// lift says how the guard is lifted for something that goes: on the block if
// there is one, else in a removed block.
func (c *Change) lift(code, otherwise string) string {
	if c.declared() {
		return fmt.Sprintf("If it may go, put lifecycle { allow = [%q] } on %s. %s", code, c.Addr.Block, otherwise)
	}
	return fmt.Sprintf("If it may go, add\n\nremoved {\n  from = %s\n  lifecycle {\n    destroy = true\n    allow   = [%q]\n  }\n}\n\n%s", c.Addr, code, otherwise)
}

// declared tells whether there is a block that what goes belongs to.
func (c *Change) declared() bool { return c.InBlock || c.Desired != nil }

func titleOr(title, other string) string {
	if title != "" {
		return title
	}
	return other
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, strings.TrimSuffix(noun, "s"))
}

func or(p *int, def int) int {
	if p == nil {
		return def
	}
	return *p
}
