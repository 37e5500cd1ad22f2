package schema

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Assign is an attribute and the value that an update leaves there. The
// assignments of an update are all that the object is to have, for some hosts take
// the whole of it; those that differ are the update.
type Assign struct {
	Attr    *Attr
	Value   cty.Value // null where the attribute is taken away
	Differs bool      // the host has another value, or does not show the one it has
}

// Assigns returns the assignments that make a live object be to, which differs in
// the named attributes.
func Assigns(to Object, differing ...string) []Assign {
	list := make([]Assign, 0, to.Value.Len())
	for a, v := range to.Value.All() {
		list = append(list, Assign{Attr: a, Value: v, Differs: slices.Contains(differing, a.Name)})
	}
	for _, name := range differing {
		if _, ok := to.Value.Get(name); !ok {
			a := to.Kind.Attr(name)
			list = append(list, Assign{Attr: a, Value: cty.NullVal(a.Type), Differs: true})
		}
	}
	return list
}

// Assigned returns what a live object is to be by assignments, and the names of
// the attributes that differ, in their order.
func Assigned(live Object, list []Assign) (to Object, differing []string) {
	to = Object{Kind: live.Kind, ID: live.ID, State: live.State}
	for _, one := range list {
		to.Value.Set(one.Attr, one.Value)
		if one.Differs {
			differing = append(differing, one.Attr.Name)
		}
	}
	return to, differing
}
