package schema

import (
	"maps"
	"slices"
)

// Catalog is all that a provider offers.
type Catalog struct {
	Resources, Sources map[string]*Kind
}

// NewCatalog indexes kinds by name. It panics on two of one name: that is a
// slip in the program, not in anybody's configuration.
func NewCatalog(resources, sources []*Kind) Catalog {
	index := func(kinds []*Kind) map[string]*Kind {
		m := make(map[string]*Kind, len(kinds))
		for _, k := range kinds {
			if m[k.Name] != nil {
				panic("two kinds named " + k.Name)
			}
			m[k.Name] = k
		}
		return m
	}
	return Catalog{index(resources), index(sources)}
}

// Named returns the kind that a reference of that name leads to: a resource,
// else what only a source knows (user), else nil.
func (c Catalog) Named(ref string) *Kind {
	if k := c.Resources[ref]; k != nil {
		return k
	}
	return c.Sources[ref]
}

// Names returns the sorted names of resource kinds, for suggestions and docs.
func (c Catalog) Names() []string { return slices.Sorted(maps.Keys(c.Resources)) }

// SourceNames returns the sorted names of data sources.
func (c Catalog) SourceNames() []string { return slices.Sorted(maps.Keys(c.Sources)) }
