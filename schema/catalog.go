package schema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Catalog is all that a provider offers. It is read-only once it is made, so that
// goroutines share it.
type Catalog struct {
	Resources, Sources map[string]*Kind

	aliases func() map[string]*Alias // nil: none
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

// Called returns the catalogue with further names for its kinds. It calls aliases when a name is
// first looked up that no kind has: most configurations use none of them.
func (c Catalog) Called(aliases func() []*Alias) Catalog {
	c.aliases = sync.OnceValue(func() map[string]*Alias {
		named := map[string]*Alias{}
		for _, a := range aliases() {
			if named[a.Type] != nil {
				panic("two aliases named " + a.Type)
			}
			named[a.Type] = a
		}
		return named
	})
	return c
}

// Aliases returns the names that other tools have for kinds, by Alias.Type. The map is not to be
// changed.
func (c Catalog) Aliases() map[string]*Alias {
	if c.aliases == nil {
		return nil
	}
	return c.aliases()
}

// AliasOf returns the alias of that Alias.Type, or nil. It returns nil for the name of a kind.
func (c Catalog) AliasOf(typ string) *Alias {
	if c.Resources[typ] != nil {
		return nil
	}
	if source, ok := strings.CutPrefix(typ, "data."); ok && c.Sources[source] != nil {
		return nil
	}
	return c.Aliases()[typ]
}

// Resource returns the kind of resource blocks of that type: a kind's name, or
// another tool's name for it.
func (c Catalog) Resource(typ string) *Kind {
	if a := c.AliasOf(typ); a != nil {
		return a.Kind
	}
	return c.Resources[typ]
}

// Alias returns the alias of a resource block of that type and kind, or nil.
func (c Catalog) Alias(typ string, k *Kind) *Alias {
	a := c.AliasOf(typ)
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
	if a := c.AliasOf(typ); a != nil {
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
	if a := c.AliasOf("data." + typ); a != nil {
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
