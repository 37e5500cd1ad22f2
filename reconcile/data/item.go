package data

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// item is one object of a list.
type item struct {
	name string
	id   cty.Value
	of   schema.Object
}

// listValues returns the attributes of a list source for its objects, sorted by name. An attribute
// for whole objects is left out unless an expression uses it.
func (n *source) listValues(items []item) map[string]cty.Value {
	k, d := n.Kind(), n.Query()
	rowsUsed := d.Rows != "" && n.Desired().Block.Uses(d.Rows)
	items = slices.SortedStableFunc(slices.Values(items),
		func(a, b item) int { return strings.Compare(a.name, b.name) })
	var names, ids, rows []cty.Value
	by := map[string]cty.Value{}
	for _, one := range items {
		if _, seen := by[one.name]; seen && (d.By != "" || d.Names != "") { // listed twice
			continue
		}
		by[one.name] = one.id
		names, ids = append(names, cty.StringVal(one.name)), append(ids, one.id)
		if rowsUsed {
			rows = append(rows, one.row(k.Attr(d.Rows).Type.ElementType()))
		}
	}
	answer := map[string]cty.Value{}
	if k.Attr("ids") != nil {
		answer["ids"] = listOf(cty.Number, ids)
	}
	if d.By != "" {
		answer[d.By] = cty.MapValEmpty(cty.Number)
		if len(by) > 0 {
			answer[d.By] = cty.MapVal(by)
		}
	}
	if d.Names != "" {
		answer[d.Names] = listOf(cty.String, names)
	}
	if rowsUsed {
		answer[d.Rows] = listOf(k.Attr(d.Rows).Type.ElementType(), rows)
	}
	return answer
}

func listOf(t cty.Type, values []cty.Value) cty.Value {
	if len(values) == 0 {
		return cty.ListValEmpty(t)
	}
	return cty.ListVal(values)
}

// matchesFilters reports whether an object passes the declared filters of a source.
func matchesFilters(d *schema.Data, args, o schema.Object) bool {
	for _, f := range d.Filters {
		if arg := args.Get(f.Arg); !arg.IsNull() && (f.Asks == "" || o.ID == "") && !f.Match(o, arg) {
			return false
		}
	}
	return true
}

// row returns the object as a value of type t. An attribute that is not set is unknown for an
// object to create, and null for an existing one or if the kind does not have it.
func (i item) row(t cty.Type) cty.Value {
	fields := map[string]cty.Value{}
	for name, of := range t.AttributeTypes() {
		a := i.of.Kind.Attr(name)
		v, isSet := i.of.Value.Get(name)
		switch {
		case name == "id":
			fields[name] = i.id
		case isSet && v.Type().Equals(of):
			_, marks := v.Unmark()
			fields[name] = a.Canonical(v).WithMarks(marks)
		case i.of.ID == "" && a != nil:
			fields[name] = cty.UnknownVal(of)
		default:
			fields[name] = cty.NullVal(of)
		}
	}
	return cty.ObjectVal(fields)
}
