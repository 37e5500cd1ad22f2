package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// form returns everything that is shown of an item except its names. Items with the same form look
// the same to the reader of a plan.
func (r *Ranked) form() string {
	c := &r.Changes[0]
	var b formWriter
	b.write(string(r.Sign), blockKind(c), c.Kind, strconv.Itoa(int(r.Danger)), commonTitle(c), r.commonNote())
	if c.Set != "" {
		b.write("set")
		forms := map[string]bool{} // how often each occurs does not matter
		for _, e := range elementsOf(r) {
			forms[e.content()] = true
		}
		b.write(slices.Sorted(maps.Keys(forms))...)
		return b.String()
	}
	b.write(untraced(c, r.Cause))
	if r.Sign == plan.Create {
		title := c.Title
		if c.Owner != "" {
			title = strings.TrimPrefix(title, c.Owner+"/")
		}
		b.write(cmp.Or(c.withoutKey(title), title))
	}
	for _, row := range r.Rows {
		b.row(c, row)
	}
	return b.String()
}

// formWriter writes texts so that no two lists of them are written alike.
type formWriter struct{ strings.Builder }

func (b *formWriter) write(texts ...string) {
	for _, t := range texts {
		b.WriteString(strconv.Itoa(len(t)))
		b.WriteByte(':')
		b.WriteString(t)
	}
}

func (b *formWriter) row(c *Change, r Row) {
	b.write(string(r.Sign), r.Name, untraced(c, r.Cause))
	b.write(cmp.Or(r.Keyed, r.Value))
	for _, l := range r.Body {
		b.write(string(l.Op), strconv.Itoa(l.Depth), l.Text)
	}
}

// untraced returns a cause without its author and time, which differ among equal changes.
func untraced(c *Change, cause string) string {
	trace := traced(c)
	return strings.TrimPrefix(strings.Replace(cause, trace, "", 1), strings.TrimPrefix(trace, ", "))
}

// elementOf is an element of a set in an item: its change and its rows.
type elementOf struct {
	change *Change
	rows   []Row
}

func elementsOf(r *Ranked) (all []elementOf) {
	for i, rest := 0, r.Rows; len(rest) > 0; i++ {
		n := 1
		for n < len(rest) && rest[n].Sign == 0 {
			n++
		}
		all = append(all, elementOf{&r.Changes[i], rest[:n]})
		rest = rest[n:]
	}
	return all
}

// content is everything that is shown of an added or changed element, including its name, which
// shows who gets access. Names of removed elements are listed next to a group and not compared.
func (e elementOf) content() string {
	if e.rows[0].Sign == plan.Delete || !e.change.Sends {
		return e.form()
	}
	return e.rows[0].Name + "\n" + e.form()
}

// form returns what is shown of an element except its name. For a removed element, or one that
// sends nothing, it is only the action.
func (e elementOf) form() string {
	var b formWriter
	b.write(string(e.rows[0].Sign))
	if e.rows[0].Sign == plan.Delete || !e.change.Sends {
		return b.String()
	}
	for i, r := range e.rows {
		if i == 0 {
			r.Name = ""
		}
		b.row(e.change, r)
	}
	return b.String()
}

// foldRows ends lists of equal elements of a set after ten, and reports how many elements it left
// out. An element that a guard names is always shown unless it is removed. So is a single
// additional element.
func foldRows(r Ranked, guarded map[string]bool) (rows []Row, cut int) {
	if r.Changes[0].Set == "" || len(r.Changes) < leastFolded {
		return r.Rows, 0
	}
	all := elementsOf(&r)
	slices.SortStableFunc(all, func(x, y elementOf) int { return y.change.removedWeight() - x.change.removedWeight() })
	var order []string
	kept, left := map[string]int{}, map[string][]elementOf{}
	for _, e := range all {
		form := e.form()
		if kept[form] == 0 {
			order = append(order, form)
		}
		if kept[form] < prose.MaxListed || guarded[e.rows[0].At] && e.rows[0].Sign != plan.Delete {
			kept[form]++
			rows = append(rows, e.rows...)
		} else {
			left[form] = append(left[form], e)
		}
	}
	for _, form := range order {
		switch more := left[form]; len(more) {
		case 0:
		case 1:
			rows = append(rows, more[0].rows...)
		default:
			rows = append(rows, more[0].foldedRows(fmt.Sprintf("… %d more", len(more)))...)
			cut += len(more)
		}
	}
	return rows, cut
}

// foldedRows returns the rows of an element that stands for several equal ones.
func (e elementOf) foldedRows(name string) []Row {
	first := Row{Sign: e.rows[0].Sign, Name: name}
	if e.rows[0].Sign == plan.Delete || !e.change.Sends {
		return []Row{first}
	}
	rows := slices.Clone(e.rows)
	rows[0].Name, rows[0].At = name, ""
	for i := range rows {
		rows[i].Cause = untraced(e.change, rows[i].Cause)
	}
	return rows
}

// elementRows returns a row for each form of the elements in a group of sets.
func (g *Group) elementRows() (rows []Row) {
	var order []string
	n, first, differ := map[string]int{}, map[string]elementOf{}, map[string]bool{}
	for i := range g.Members {
		for _, e := range elementsOf(&g.Members[i]) {
			form := e.content()
			if n[form]++; n[form] == 1 {
				order = append(order, form)
				first[form] = e
			}
			differ[form] = differ[form] || e.rows[0].Name != first[form].rows[0].Name
		}
	}
	for _, form := range order {
		name := fmt.Sprintf("%d ×", n[form])
		if differ[form] {
			name += " " + first[form].change.noun()
		} else {
			name += " " + first[form].rows[0].Name
		}
		rows = append(rows, first[form].foldedRows(name)...)
	}
	return rows
}

// commonRows returns the rows of the first member. In values that contain the key of their object
// it replaces the key, and it omits values that are just the key.
func (g *Group) commonRows() (rows []Row) {
	for i, r := range g.Members[0].Rows {
		same := true
		for j := range g.Members {
			m := &g.Members[j]
			same = same && m.Rows[i].Value == r.Value
			if m.Rows[i].Cause != r.Cause {
				r.Cause = untraced(&m.Changes[0], m.Rows[i].Cause)
			}
		}
		if !same && r.Keyed == anyKey {
			continue
		}
		if !same && r.Keyed != "" {
			r.difference = difference{Value: r.Keyed}
		}
		rows = append(rows, r)
	}
	return rows
}
