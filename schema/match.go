package schema

import "github.com/zclconf/go-cty/cty"

// Twins says what to do when several live objects have the declared key.
type Twins uint8

// Ambiguous twins block the declared object; Lowest takes the one with the
// lowest id and reports the others.
const (
	Ambiguous Twins = iota
	Lowest
)

// Matcher recognises a declared object among live ones by the first of its
// keys that the declared object states.
type Matcher struct {
	Keys  []string
	Twins Twins
}

// ByKey matches on the first stated of the named attributes.
func ByKey(names ...string) Matcher { return Matcher{Keys: names} }

// OnTwins returns the matcher with another answer to several matches.
func (m Matcher) OnTwins(t Twins) Matcher { m.Twins = t; return m }

// Key returns the attribute that identifies the object and its canonical
// value. ok is false where no key is stated or it is not known yet.
func (m Matcher) Key(o Object) (a *Attr, v cty.Value, ok bool) {
	for _, name := range m.Keys {
		if v, stated := o.Value.Get(name); stated && !v.IsNull() {
			a := o.Kind.Attr(name)
			n := a.Canonical(v)
			return a, n, n.IsWhollyKnown()
		}
	}
	return nil, cty.NilVal, false
}
