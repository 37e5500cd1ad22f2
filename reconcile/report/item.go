package report

import (
	"fmt"
	"iter"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
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
	Note  string // what is to be noted of it before anything else
	Undo  string // of drift: what hew apply would do about it
	Place string // and where it is declared: file:line:column
	Rows  []Row
}

// Row is a line below an item: an attribute, or (signed) an element of a set.
type Row struct {
	Sign        plan.Action
	Name, Cause string
	Label       string // what the value begins with, where the name is that of an element
	At          string // the address of an element
	Was         string // the previous address of an object that moves in the ledger
	By          string // what made the difference
	Keyed       string // the value without the key of the object's block, where it contains that
	difference
}

// ifFound marks a creation that becomes an adoption if the object exists.
const ifFound = "adopted if it exists"

// restoredFirst marks a change of an object that is marked for deletion.
const restoredFirst = "restored first: it is pending deletion"

// entry is one entry of a plan: an object, or the changed elements of a set.
type entry struct {
	set     string // its address
	size    int    // how many elements it has
	changes []Change
}

// entries yields the entries in the order of the plan.
func (d *Document) entries() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for i := 0; i < len(d.Changes); {
			n := 1
			set := d.Changes[i].Set
			for set != "" && i+n < len(d.Changes) && d.Changes[i+n].Set == set {
				n++
			}
			if !yield(entry{set, max(n, d.Sets[set]), d.Changes[i : i+n]}) {
				return
			}
			i += n
		}
	}
}

// item returns what is printed of an entry, with a row or more for each element of a set.
func (e entry) item() Item {
	if e.set == "" {
		return objectItem(&e.changes[0])
	}
	it := Item{Sign: e.changes[0].Sign(), Name: prose.Clean(e.set)}
	altered := 0
	for i := range e.changes {
		c := &e.changes[i]
		if c.Sign() != it.Sign {
			it.Sign = plan.Update
		}
		if c.Sends && c.Sign() == plan.Adopt {
			altered++
		}
		it.Rows = append(it.Rows, elementRows(c)...)
	}
	if (it.Sign == plan.Create || it.Sign == plan.Delete) && len(e.changes) < e.size {
		it.Sign = plan.Update // the set itself stays
	}
	it.Title = fmt.Sprintf("%d of %s", len(e.changes), prose.Count(e.size, e.changes[0].noun()))
	if signs := SignsOf(e.changes); signs[it.Sign] < len(e.changes) {
		it.Title += ": " + signs.String()
	}
	if altered > 0 && it.Sign == plan.Adopt {
		it.Also = fmt.Sprintf(", and changes %d of them", altered)
	}
	return it
}

// elementRows returns the rows of one element of a set: its name once, then its values.
func elementRows(c *Change) []Row {
	first := Row{
		Sign: c.Sign(), Name: prose.Clean(c.Element), At: prose.Clean(c.Address), By: c.Cause, Cause: causeOf(c),
	}
	switch first.Sign {
	case plan.Update, plan.Replace, plan.Adopt:
		if len(c.Paths) == 0 {
			first.Value = remark(c)
			return []Row{first}
		}
		rows := attrRows(c, c.Paths)
		for i := range rows {
			if c.Paths[i].AfterText == "" {
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
		first.Value = c.Brief
		if c.AdoptsIfFound {
			first.Value = strings.Join(append(prose.NonEmpty(first.Value), ifFound), ", ")
		}
	case plan.Delete:
		first.Value = c.Brief
	default:
		first.Value = remark(c)
	}
	return []Row{first}
}

func objectItem(c *Change) Item {
	if c.Event != nil {
		return eventItem(c)
	}
	it := Item{Sign: c.Sign(), Name: prose.Clean(c.Address), Title: prose.Clean(c.Title), Cause: causeOf(c)}
	var notes []string
	switch it.Sign {
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
			names = append(names, p.name())
		}
		if len(names) > 0 {
			it.Also = ", and changes " + strings.Join(names, ", ")
		}
	case plan.Update, plan.Replace:
		it.Rows = attrRows(c, c.Paths)
		if c.Why == "" {
			it.Cause = "" // the rows say it
		}
		if c.Restore && (it.Sign == plan.Replace || c.Why == "") { // else that says so
			notes = append(notes, restoredFirst)
		}
	case plan.Delete:
		it.Title += c.ofOwner()
	case plan.Move, plan.Release, plan.NotFound:
		notes = append(notes, remark(c))
	}
	it.Title = strings.Join(append(prose.NonEmpty(it.Title), notes...), ", ")
	return it
}

// split separates the secrets: an adoption names them in its first line.
func split(paths []Path) (shown, secrets []Path) {
	for _, p := range paths {
		if p.AlwaysSecret {
			secrets = append(secrets, p)
		} else {
			shown = append(shown, p)
		}
	}
	return shown, secrets
}
