package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// registry is the catalogue of one program, and the kinds behind it. It is
// complete when it is made and never changes, so that goroutines share it.
type registry struct {
	catalog schema.Catalog
	kinds   map[*schema.Kind]*Kind
}

// newRegistry completes the kinds, whose tables become its own, and indexes them by name.
// The error names every slip in what the kinds say of themselves and of each other.
func newRegistry(kinds []Kind) (registry, error) {
	by := make(map[*schema.Kind]*Kind, len(kinds))
	var resources, sources []*schema.Kind
	var wrong []error
	for _, k := range kinds {
		wrong = append(wrong, k.complete())
		by[&k.Kind] = &k
		if k.Data != nil {
			sources = append(sources, &k.Kind)
		} else {
			resources = append(resources, &k.Kind)
		}
	}
	catalog, err := schema.NewCatalog(resources, sources)
	if err := errors.Join(append(wrong, err)...); err != nil {
		return registry{}, err
	}
	return registry{catalog.Called(func() []*schema.Alias { return terraformAliases(catalog) }), by}, nil
}

// kind returns what is behind a kind of the catalogue. A kind of another
// catalogue, or none at all, is an error.
func (r registry) kind(of *schema.Kind) (*Kind, error) {
	switch k := r.kinds[of]; {
	case k != nil:
		return k, nil
	case of == nil:
		return nil, errors.New("the object has no kind")
	default:
		return nil, fmt.Errorf("this provider has no kind %q: pass the kind to provider.New, "+
			"and take objects from the catalogue of the same provider", of.Name)
	}
}

// complete fills in what follows from what the kind says of itself, in its table too.
func (k *Kind) complete() error {
	k.Attrs = make([]schema.Attr, len(k.Table))
	for i := range k.Table {
		k.Table[i].Named = k.identifies(&k.Table[i])
		k.Attrs[i] = k.Table[i].Attr
	}
	if k.Set != nil {
		return nil // its elements travel, not itself
	}
	if k.API.Items == "" {
		k.API.Items, _, _ = strings.Cut(k.Collection, "?")
	}
	if k.Holds != schema.Many {
		k.API.Item = k.API.Items
	}
	if k.API.Item == "" && k.API.Items != "" {
		k.API.Item = k.API.Items + "/{id}"
	}
	return k.checkPaths()
}

// checkPaths returns an error for each variable of a path that the kind cannot
// fill in.
func (k *Kind) checkPaths() error {
	var wrong []error
	for _, template := range []string{k.API.Items, k.API.Item, k.API.Delete, k.API.Restore, k.API.Invitations} {
		for _, name := range templateVariables(template) {
			if name != idName && k.Attr(name) == nil {
				wrong = append(wrong, fmt.Errorf("kind %q: the path %q takes {%s}, and no attribute has that name",
					k.Name, template, name))
			}
		}
	}
	for _, a := range slices.Concat(k.API.Before, k.API.After) {
		if k.Attr(a.Attr) == nil {
			wrong = append(wrong, fmt.Errorf("kind %q: an action is about %q, and no attribute has that name", k.Name,
				a.Attr))
		}
	}
	return errors.Join(wrong...)
}

// identifies reports whether objects of the kind are known by an attribute: as
// their own part of a path, in their id, or in the address that they are asked
// for at.
func (k *Kind) identifies(a *Attr) bool {
	if a.Mode == schema.Computed {
		return false
	}
	return k.Tree != nil && k.Tree.Segment == a.Name || slices.Contains(strings.Split(k.API.ID, ","), a.fieldName()) ||
		strings.Contains(k.API.Item, "{"+a.Name+"}")
}
