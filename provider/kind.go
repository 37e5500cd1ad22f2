package provider

import (
	"slices"
	"strings"

	"hew/schema"
)

// Kind declares one sort of object: what configuration sees of it, the table of
// its attributes, and what its API does in a way of its own. A declaration is a
// value: [New] completes a copy of it.
type Kind struct {
	// Kind names it, says where its objects are listed and how one is recognised.
	// Its Attrs are made from Table.
	schema.Kind
	// Table has a row for each attribute.
	Table []Attr
	// API says how objects travel, where that does not follow from Collection.
	API REST
}

// row returns the named row, or nil.
func (k *Kind) row(name string) *Attr {
	for i := range k.Table {
		if k.Table[i].Name == name {
			return &k.Table[i]
		}
	}
	return nil
}

// statedNames names what a declared object states.
func (k *Kind) statedNames(o schema.Object) []string {
	var names []string
	for a, v := range o.Value.All() {
		if a.Mode != schema.Computed && !a.Local() && !v.IsNull() {
			names = append(names, a.Name)
		}
	}
	return names
}

// hasItem reports whether there is a request for one object of the kind by its id.
func (k *Kind) hasItem() bool {
	if k.API.ListOnly || k.API.Within != "" {
		return false
	}
	return k.Holds != schema.Many || !slices.ContainsFunc(templateVariables(k.API.Item), func(name string) bool {
		return name != idName && (k.Owner() == nil || name != k.Owner().Name)
	})
}

// templateVariables returns the names in a template.
func templateVariables(template string) (names []string) {
	for part := range strings.SplitSeq(template, "{") {
		if name, _, ok := strings.Cut(part, "}"); ok {
			names = append(names, name)
		}
	}
	return names
}
