package report

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
	"hew/schema"
)

// Item is an entry of the printed plan: an object, or a set kind with the
// elements that change. Everything about it is decided here; what is left to
// the view is columns and colours.
type Item struct {
	Sign  plan.Action
	Name  string // address
	Title string // the object's name on the host, and what happens to it
	Also  string // what the rows say and the sign does not, where there are no rows
	Cause string
	Rows  []Row
}

// Row is a line below an item: an attribute, or (signed) an element of a set.
type Row struct {
	Sign        plan.Action
	Name, Cause string
	Label       string     // what the value begins with, where the name is that of an element
	At          string     // the address of an element
	By          plan.Cause // of the difference
	difference
}

// ifFound is said of a creation that comes to an adoption where the object turns
// out to be there.
const ifFound = "adopts if found"

// Items arranges the changes of a plan for people. What stays as it is has no
// entry.
func Items(p *plan.Plan) []Item {
	var all []Item
	for e := range entriesIn(p) {
		if changed := moving(e.changes); len(changed) > 0 {
			all = append(all, e.item(changed, prose.MaxListed))
		}
	}
	return all
}

// item is what is printed of those changes of an entry that move something; of the
// elements of a set that send nothing to the host most are told one by one.
func (e planEntry) item(changed []*plan.Change, most int) Item {
	if e.set {
		return setItem(e.addr, changed, e.size, most)
	}
	return objectItem(changed[0])
}

// planEntry is what has one entry in a plan: an object, or all elements of a
// set.
type planEntry struct {
	addr    addr.Instance
	set     bool
	size    int // of the set: live and declared elements, whichever are more
	changes []plan.Change
}

// entriesIn yields the entries in the order of the plan.
func entriesIn(p *plan.Plan) iter.Seq[planEntry] {
	return func(yield func(planEntry) bool) {
		for i := 0; i < len(p.Changes); {
			n := 1
			g, set := GroupOf(p.Changes[i].Addr)
			for set && i+n < len(p.Changes) {
				if next, in := GroupOf(p.Changes[i+n].Addr); !in || next != g {
					break
				}
				n++
			}
			if !yield(planEntry{g, set, max(n, p.Sizes[p.Changes[i].Collection]), p.Changes[i : i+n]}) {
				return
			}
			i += n
		}
	}
}

// GroupOf is the address of the set kind's block instance that an element
// belongs to. Strays of an exclusive block stand for themselves.
func GroupOf(a addr.Instance) (addr.Instance, bool) {
	if a.Mode != addr.Resource || a.Elem == "" || a.Deposed() {
		return a, false
	}
	a.Elem = ""
	return a, true
}

func moving(changes []plan.Change) []*plan.Change {
	var out []*plan.Change
	for i := range changes {
		if changes[i].Action != plan.NoOp {
			out = append(out, &changes[i])
		}
	}
	return out
}

func setItem(group addr.Instance, changed []*plan.Change, total, most int) Item {
	it := Item{Sign: changed[0].Action, Name: prose.Clean(group.String())}
	quiet, altered := map[plan.Action]int{}, 0
	for _, c := range changed {
		if c.Action != it.Sign {
			it.Sign = plan.Update
		}
		if c.Changes() && c.Action == plan.Adopt {
			altered++
		}
		if !c.Changes() {
			if quiet[c.Action]++; quiet[c.Action] > most {
				continue
			}
		}
		it.Rows = append(it.Rows, elementRows(c)...)
	}
	for _, a := range []plan.Action{plan.Adopt, plan.Move, plan.Release} {
		if more := quiet[a] - most; more > 0 {
			it.Rows = append(it.Rows, Row{Sign: a, Name: fmt.Sprintf("… %d more", more)})
		}
	}
	if (it.Sign == plan.Create || it.Sign == plan.Delete) && len(changed) < total {
		it.Sign = plan.Update // the set itself stays
	}
	it.Title = fmt.Sprintf("%d of %s", len(changed), prose.Count(total, word(changed[0].Kind)))
	if altered > 0 && it.Sign == plan.Adopt {
		it.Also = fmt.Sprintf(", and changes %d of them", altered)
	}
	return it
}

// elementRows render one element of a set: its name once, then its values.
func elementRows(c *plan.Change) []Row {
	first := Row{Sign: c.Action, Name: prose.Clean(c.Addr.Elem), At: prose.Clean(c.Addr.String()), By: c.Cause, Cause: causeOf(c)}
	switch c.Action {
	case plan.Update, plan.Replace, plan.Adopt:
		if len(c.Paths) == 0 {
			first.Value = remark(c)
			return []Row{first}
		}
		rows := attrRows(c, c.Paths)
		for i := range rows {
			if c.Paths[i].Attr.Show == nil {
				rows[i].Label = rows[i].Name + " "
				rows[i].Value = rows[i].Label + rows[i].Value
			}
			rows[i].Name = ""
		}
		rows[0].Sign, rows[0].Name, rows[0].At = first.Sign, first.Name, first.At
		if rows[0].Cause == "" {
			rows[0].Cause = first.Cause
		}
		return rows
	case plan.Create:
		first.Value = brief(c, c.After)
		if c.AdoptsIfFound {
			first.Value = strings.Join(append(prose.NonEmpty(first.Value), ifFound), ", ")
		}
	case plan.Delete:
		first.Value = brief(c, c.Before)
	default:
		first.Value = remark(c)
	}
	return []Row{first}
}

// brief names what an element is beside its key and its owner: "developer".
func brief(c *plan.Change, o schema.Object) string {
	skip := slices.Clone(c.Kind.Match.Keys)
	if owner := c.Kind.Owner(); owner != nil {
		skip = append(skip, owner.Name)
	}
	var words []string
	for i := range c.Kind.Attrs {
		a := &c.Kind.Attrs[i]
		v, told := o.Value.Get(a.Name)
		switch {
		case !told || isNull(v) || a.Mode == schema.Computed || slices.Contains(skip, a.Name):
		case c.Action == plan.Delete && concealed(c, a): // nobody misses it
		case a.Show != nil:
			words = append(words, spell(a, v))
		default:
			words = append(words, a.Name+" "+spell(a, v))
		}
	}
	return strings.Join(words, ", ")
}

func objectItem(c *plan.Change) Item {
	it := Item{Sign: c.Action, Name: prose.Clean(c.Addr.String()), Title: prose.Clean(c.Title), Cause: causeOf(c)}
	var notes []string
	switch c.Action {
	case plan.Create:
		it.Rows = createRows(c)
		if c.AdoptsIfFound {
			notes = append(notes, ifFound)
		}
	case plan.Adopt:
		shown, _ := split(c.Paths) // the title names the secrets
		it.Title, it.Rows = remark(c), attrRows(c, shown)
		var names []string
		for _, p := range shown {
			names = append(names, called(c, p.Attr))
		}
		if len(names) > 0 {
			it.Also = ", and changes " + strings.Join(names, ", ")
		}
	case plan.Update, plan.Replace:
		it.Rows = attrRows(c, c.Paths)
		if c.Why == "" {
			it.Cause = "" // the rows say it
		}
		if c.Restore && (c.Action == plan.Replace || c.Why == "") { // else that says so
			notes = append(notes, "restored first: it is pending deletion")
		}
	case plan.Delete:
		it.Title += OfOwner(c)
	case plan.Move, plan.Release:
		notes = append(notes, remark(c))
	}
	it.Title = strings.Join(append(prose.NonEmpty(it.Title), notes...), ", ")
	return it
}

// split sets the secrets apart: an adoption names them in its first line.
func split(paths []plan.PathChange) (shown, secrets []plan.PathChange) {
	for _, p := range paths {
		if p.Attr.Secret {
			secrets = append(secrets, p)
		} else {
			shown = append(shown, p)
		}
	}
	return shown, secrets
}
