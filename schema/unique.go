package schema

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Unique names attributes whose values together belong to one object of a collection at a time: the
// host refuses a second one. A name that another object holds can be taken once that object is
// renamed or deleted.
type Unique struct {
	Attrs []string
	// FoldCase is set where the host compares the values in lower case, although the attribute
	// keeps its case.
	FoldCase bool
	// InAncestry is set where hosts also compare objects in the groups above and below the owner.
	// Kinds with the same word share their names: "milestone" of groups and of projects.
	InAncestry string
	// AboveOnly is set where hosts accept a name that only objects below the owner have.
	AboveOnly bool
	// FreeRename is set where hosts compare with the groups above and below only when they create
	// an object, not when they rename it.
	FreeRename bool
}

// UniqueNames returns the names that an object holds in its collection, each with its attributes:
// "name=\"bug\"". A reference is named by id and by name. A name is left out while one of its
// attributes is unknown or null. Attributes that the object does not state have their default.
func (k *Kind) UniqueNames(o Object) (names []string) {
	for _, u := range k.Unique {
		names = append(names, u.Names(o)...)
	}
	return names
}

// Value returns what an object has of an attribute: what it states, the default, or the usual
// value.
func (u Unique) Value(o Object, attr string) cty.Value {
	v := o.OrDefault(attr)
	if a := o.Kind.Attr(attr); v.IsNull() && a.Usual != nil {
		return a.Usual(o)
	}
	return v
}

// Names returns the forms of the name that an object holds by these attributes, as
// [Kind.UniqueNames] does.
func (u Unique) Names(o Object) []string {
	names := []string{""}
	for _, attr := range u.Attrs {
		a, v := o.Kind.Attr(attr), u.Value(o, attr)
		if v.IsNull() || !a.Canonical(v).IsWhollyKnown() {
			return nil
		}
		var longer []string
		for _, text := range a.KeyTexts(v) {
			if u.FoldCase {
				text = strings.ToLower(text)
			}
			for _, name := range names {
				longer = append(longer, name+attr+"="+text+";")
			}
		}
		names = longer
	}
	return names
}

// KeyTexts returns the texts under which a known value is indexed: a reference by its id and by its
// name, any other value by its canonical form.
func (a *Attr) KeyTexts(v cty.Value) []string {
	r := AsRef(v)
	if r == nil {
		return []string{Encode(a.Canonical(v))}
	}
	var texts []string
	if r.ID != "" {
		texts = append(texts, "id:"+r.ID)
	}
	if r.Path != "" {
		texts = append(texts, "name:"+strings.ToLower(r.Path))
	}
	return texts
}
