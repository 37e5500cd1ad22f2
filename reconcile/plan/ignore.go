package plan

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/schema"
)

// What lifecycle { ignore_changes } names is left as the host has it: it is
// taken over from the live object before anything is compared or sent. Digests
// are of what remains, so that a change of an ignored part is nobody's.

// ignores returns what is left alone of an attribute: all of it, or the parts
// that paths lead to.
func ignores(d *config.Desired, a *schema.Attr) (whole bool, parts []cty.Path) {
	if d == nil || d.Block == nil {
		return false, nil
	}
	for _, i := range d.Block.Lifecycle.IgnoreChanges {
		switch {
		case i.Elem != "" && !strings.EqualFold(i.Elem, d.Addr.Elem):
		case i.All, i.Elem != "" && i.Attr == "", i.Attr == a.Name && len(i.Path) == 0:
			return true, nil
		case i.Attr == a.Name:
			parts = append(parts, i.Path)
		}
	}
	return false, parts
}

// Ignored reports whether all of an attribute is left as the host has it.
func Ignored(d *config.Desired, a *schema.Attr) bool {
	whole, _ := ignores(d, a)
	return whole
}

// Kept returns what a declared value comes to beside a live object: what is ignored
// of it is as it is there, as far as the host tells.
func Kept(d *config.Desired, a *schema.Attr, v cty.Value, live schema.Object) cty.Value {
	have, told := live.Value.Get(a.Name)
	if !told || a.IsSecret() {
		return v
	}
	whole, parts := ignores(d, a)
	if whole {
		return have
	}
	for _, p := range parts {
		v = graft(v, have, p)
	}
	return v
}

// withoutIgnored returns a value without what is ignored of it.
func withoutIgnored(d *config.Desired, a *schema.Attr, v cty.Value) cty.Value {
	_, parts := ignores(d, a)
	for _, p := range parts {
		v = graft(v, cty.NilVal, p)
	}
	return v
}

// graft puts in place of what the path leads to what it leads to in another
// value, or nothing where that has nothing there.
func graft(into, from cty.Value, path cty.Path) cty.Value {
	bare, marks := into.Unmark()
	if bare.IsNull() || !bare.IsKnown() {
		return into
	}
	key, last := path[0], len(path) == 1
	was, is := step(bare, key), step(from, key)
	switch {
	case !last && was == cty.NilVal:
		return into
	case !last:
		is = graft(was, is, path[1:])
	}
	switch t := bare.Type(); {
	case t.IsMapType() || t.IsObjectType():
		return pairs(bare, stepName(key), is).WithMarks(marks)
	case (t.IsListType() || t.IsTupleType()) && was != cty.NilVal && is != cty.NilVal:
		elems := bare.AsValueSlice()
		elems[stepIndex(key)] = is
		if t.IsListType() && is.Type().Equals(t.ElementType()) {
			return cty.ListVal(elems).WithMarks(marks)
		}
		return cty.TupleVal(elems).WithMarks(marks)
	}
	return into
}

// pairs returns a map or object with another value under a key, or without the key.
func pairs(v cty.Value, key string, is cty.Value) cty.Value {
	t, m := v.Type(), v.AsValueMap()
	if m == nil {
		m = map[string]cty.Value{}
	}
	switch {
	case is != cty.NilVal:
		m[key] = is
	case t.IsObjectType() && t.HasAttribute(key):
		m[key] = cty.NullVal(t.AttributeType(key))
	default:
		delete(m, key)
	}
	switch {
	case t.IsObjectType():
		return cty.ObjectVal(m)
	case len(m) == 0:
		return cty.MapValEmpty(t.ElementType())
	case cty.CanMapVal(m):
		return cty.MapVal(m)
	}
	return cty.ObjectVal(m)
}

// step returns what one step of a path leads to, NilVal where there is nothing.
func step(v cty.Value, s cty.PathStep) cty.Value {
	if v == cty.NilVal {
		return v
	}
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return cty.NilVal
	}
	switch t := v.Type(); {
	case t.IsMapType() || t.IsObjectType():
		if is, ok := v.AsValueMap()[stepName(s)]; ok {
			return is
		}
	case t.IsListType() || t.IsTupleType():
		if elems, i := v.AsValueSlice(), stepIndex(s); i >= 0 && i < len(elems) {
			return elems[i]
		}
	}
	return cty.NilVal
}

// stepName and stepIndex read a step: .name and ["name"] are the same to maps
// and objects.
func stepName(s cty.PathStep) string {
	switch s := s.(type) {
	case cty.GetAttrStep:
		return s.Name
	case cty.IndexStep:
		if s.Key.Type() == cty.String {
			return s.Key.AsString()
		}
	}
	return ""
}

func stepIndex(s cty.PathStep) int {
	if i, ok := s.(cty.IndexStep); ok && i.Key.Type() == cty.Number {
		n, _ := i.Key.AsBigFloat().Int64()
		return int(n)
	}
	return -1
}
