package schema

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Twins says what happens if several live objects have the declared key.
type Twins uint8

// Ambiguous blocks the declared object. Lowest takes the object with the lowest id
// and reports the others.
const (
	Ambiguous Twins = iota
	Lowest
)

// Matcher recognises a declared object among live ones by the first of its
// keys that the declared object states.
type Matcher struct {
	Keys  []string
	Twins Twins
	// Also names attributes that must be equal as well, stated or by default: a
	// variable's environment_scope.
	Also []string
	// Sole names an attribute whose value Is identifies an object by itself, instead
	// of the key: there is one approval rule for any_approver, whatever its name.
	Sole string
	Is   cty.Value
	// Alike is set if nothing distinguishes the objects: a declared one is the oldest
	// that no other block has.
	Alike bool
}

// ByKey matches on the first stated of the named attributes.
func ByKey(names ...string) Matcher { return Matcher{Keys: names} }

// ByAge matches objects that are all alike.
func ByAge() Matcher { return Matcher{Alike: true, Twins: Lowest} }

// OnTwins returns the matcher with another answer to several matches.
func (m Matcher) OnTwins(t Twins) Matcher { m.Twins = t; return m }

// And returns the matcher with attributes that have to be equal as well.
func (m Matcher) And(names ...string) Matcher { m.Also = names; return m }

// OrSole returns the matcher with a value that identifies by itself.
func (m Matcher) OrSole(name string, is cty.Value) Matcher { m.Sole, m.Is = name, is; return m }

// Attrs names all attributes that matching looks at.
func (m Matcher) Attrs() []string {
	names := slices.Concat(m.Keys, m.Also)
	if m.Sole != "" {
		names = append(names, m.Sole)
	}
	return names
}

// Key returns the attribute that identifies the object, and its canonical value. It
// reports false if no key is stated, or the key is not known yet.
func (m Matcher) Key(o Object) (a *Attr, v cty.Value, ok bool) {
	_, known := m.beside(o)
	if m.sole(o) {
		a := o.Kind.Attr(m.Sole)
		return a, a.Canonical(m.Is), known
	}
	for _, name := range m.Keys {
		if v, stated := o.Value.Get(name); stated && !v.IsNull() {
			a := o.Kind.Attr(name)
			n := a.Canonical(v)
			return a, n, n.IsWhollyKnown() && known && (m.Sole == "" || o.OrDefault(m.Sole).IsKnown())
		}
	}
	return nil, cty.NilVal, false
}

// Beside returns what must be equal beside the key, as strings. Unknown values are
// "".
func (m Matcher) Beside(o Object) []string {
	texts, _ := m.beside(o)
	return texts
}

func (m Matcher) beside(o Object) (texts []string, known bool) {
	known = true
	for _, name := range m.Also {
		v := o.Kind.Attr(name).Canonical(o.OrDefault(name))
		text := ""
		switch {
		case !v.IsWhollyKnown():
			known = false
		case v.IsNull():
		case v.Type() == cty.String:
			text = v.AsString()
		default:
			text = Encode(v)
		}
		texts = append(texts, text)
	}
	return texts, known
}

// Fits reports whether a live object with the key of a declared one can be it.
func (m Matcher) Fits(want, live Object) bool {
	return slices.Equal(m.Beside(want), m.Beside(live)) && m.sole(want) == m.sole(live)
}

// sole reports whether the object is identified by Sole.
func (m Matcher) sole(o Object) bool {
	return m.Sole != "" && o.Kind.Attr(m.Sole).Equal(o.OrDefault(m.Sole), m.Is)
}

// OrDefault returns the object's value of an attribute, or its default.
func (o Object) OrDefault(name string) cty.Value {
	a := o.Kind.Attr(name)
	if v, stated := o.Value.Get(name); stated && !v.IsNull() || a.Default == nil {
		return o.Get(name)
	}
	return a.Default(o)
}
