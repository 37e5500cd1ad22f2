package schema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Catalog is all that a provider offers. It is read-only once it is made, so that
// goroutines share it.
type Catalog struct {
	Resources, Sources map[string]*Kind
	// Aliases are names that other tools have for kinds, by Alias.Type.
	Aliases map[string]*Alias
}

// NewCatalog returns the catalogue of these kinds. The error names each kind whose
// name is taken, and each name in a kind that leads to no attribute or kind.
func NewCatalog(resources, sources []*Kind) (Catalog, error) {
	var wrong []error
	index := func(sort string, kinds []*Kind) map[string]*Kind {
		m := make(map[string]*Kind, len(kinds))
		for _, k := range kinds {
			if k.Name == "" || m[k.Name] != nil {
				wrong = append(wrong, fmt.Errorf("there are two %s named %q, or one without a name", sort, k.Name))
				continue
			}
			m[k.Name] = k
		}
		return m
	}
	c := Catalog{Resources: index("kinds", resources), Sources: index("data sources", sources)}
	return c, errors.Join(append(wrong, c.validate())...)
}

// Called returns the catalogue with further names for its kinds.
func (c Catalog) Called(aliases ...*Alias) Catalog {
	c.Aliases = make(map[string]*Alias, len(aliases))
	for _, a := range aliases {
		if c.Aliases[a.Type] != nil {
			panic("two aliases named " + a.Type)
		}
		c.Aliases[a.Type] = a
	}
	return c
}

// Resource returns the kind of resource blocks of that type: a kind's name, or
// another tool's name for it.
func (c Catalog) Resource(typ string) *Kind {
	if a := c.Aliases[typ]; a != nil {
		return a.Kind
	}
	return c.Resources[typ]
}

// Alias returns the alias of a resource block of that type and kind, or nil.
func (c Catalog) Alias(typ string, k *Kind) *Alias {
	a := c.Aliases[typ]
	if a == nil {
		return nil
	}
	for _, of := range a.Cases {
		if of.Kind == k {
			return of
		}
	}
	return a
}

// Same reports whether resource blocks of two types may be of the same kind.
func (c Catalog) Same(one, other string) bool {
	kinds := c.kinds(one)
	return slices.ContainsFunc(c.kinds(other), func(k *Kind) bool { return slices.Contains(kinds, k) })
}

// kinds returns those that blocks of a type may be of.
func (c Catalog) kinds(typ string) (all []*Kind) {
	if a := c.Aliases[typ]; a != nil {
		for _, of := range a.Cases {
			all = append(all, of.Kind)
		}
	}
	if k := c.Resource(typ); k != nil {
		all = append(all, k)
	}
	return all
}

// Source returns the kind of data blocks of that type.
func (c Catalog) Source(typ string) *Kind {
	if a := c.Aliases["data."+typ]; a != nil {
		return a.Kind
	}
	return c.Sources[typ]
}

// Named returns the kind of that name: a resource, or else a data source, or nil.
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
