package plan

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/schema"
)

// Values that lifecycle { ignore_changes } names are taken from the live object before anything is
// compared or sent. Digests cover only the rest, so a change of an ignored part has no effect.

// ignores returns what is ignored of an attribute: all of it, or the parts at the returned paths.
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

// Ignored reports whether all of an attribute is ignored.
func Ignored(d *config.Desired, a *schema.Attr) bool {
	whole, _ := ignores(d, a)
	return whole
}

// KeepIgnored returns a declared value in which the ignored parts have their live values, as far as
// the host shows them.
func KeepIgnored(d *config.Desired, a *schema.Attr, v cty.Value, live schema.Object) cty.Value {
	have, ok := live.Value.Get(a.Name)
	if !ok || a.IsSecret() {
		return v
	}
	whole, parts := ignores(d, a)
	if whole {
		return have
	}
	for _, p := range parts {
		v = spliceAt(v, have, p)
	}
	return v
}

// withoutIgnored returns a value without its ignored parts.
func withoutIgnored(d *config.Desired, a *schema.Attr, v cty.Value) cty.Value {
	_, parts := ignores(d, a)
	for _, p := range parts {
		v = spliceAt(v, cty.NilVal, p)
	}
	return v
}

// spliceAt returns into with the value at a path replaced by that in from, or removed if from has
// none.
func spliceAt(into, from cty.Value, path cty.Path) cty.Value {
	bare, marks := into.Unmark()
	if bare.IsNull() || !bare.IsKnown() {
		return into
	}
	key, last := path[0], len(path) == 1
	was, is := valueAt(bare, key), valueAt(from, key)
	switch {
	case !last && was == cty.NilVal:
		return into
	case !last:
		is = spliceAt(was, is, path[1:])
	}
	switch t := bare.Type(); {
	case t.IsMapType() || t.IsObjectType():
		return setKey(bare, stepName(key), is).WithMarks(marks)
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

// setKey returns a map or object with the value under a key set, or removed if is is NilVal.
func setKey(v cty.Value, key string, is cty.Value) cty.Value {
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

// valueAt returns the value at one step of a path, or NilVal.
func valueAt(v cty.Value, s cty.PathStep) cty.Value {
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

// stepName returns the name of a step: .name and ["name"] are the same for maps and objects.
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

// stepIndex returns the index of a step, or -1 if it is not a number.
func stepIndex(s cty.PathStep) int {
	if i, ok := s.(cty.IndexStep); ok && i.Key.Type() == cty.Number {
		n, _ := i.Key.AsBigFloat().Int64()
		return int(n)
	}
	return -1
}
