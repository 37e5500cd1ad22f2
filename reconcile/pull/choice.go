package pull

import (
	"errors"
	"fmt"
	"slices"

	"hew/reconcile/didyoumean"
	"hew/schema"
)

// Choose returns the kinds that are pulled: those named, or else all, without the
// others that are named. Of a set and its elements, which are the same things, it
// is the set unless the element is named: one block instead of many.
func Choose(kinds schema.Catalog, only, without []string) ([]*schema.Kind, error) {
	for _, name := range slices.Concat(only, without) {
		if kinds.Resources[name] == nil {
			hint := didyoumean.Hint(name, kinds.Names())
			if hint == "" {
				hint = " hew schema prints them all."
			}
			return nil, fmt.Errorf("there is no kind %q of resources.%s", name, hint)
		}
	}
	var chosen []*schema.Kind
	for _, name := range kinds.Names() {
		k := kinds.Resources[name]
		if len(only) > 0 && !slices.Contains(only, name) || excluded(k, without) {
			continue
		}
		if set := setOf(kinds, k); set != nil && (len(only) == 0 || slices.Contains(only, set.Name)) {
			continue
		}
		chosen = append(chosen, k)
	}
	if len(chosen) == 0 {
		return nil, errors.New("no kind is left to pull: each that is asked for is left out as well. Leave fewer out, or ask for others")
	}
	return chosen, nil
}

// excluded tells whether a kind is left out, by its own name or that of its
// elements.
func excluded(k *schema.Kind, without []string) bool {
	return slices.Contains(without, k.Name) || k.Set != nil && slices.Contains(without, k.Set.Element)
}

// setOf is the kind that stands for many of a kind, or nil.
func setOf(kinds schema.Catalog, k *schema.Kind) *schema.Kind {
	for _, of := range kinds.Resources {
		if of.Set != nil && of.Set.Element == k.Name {
			return of
		}
	}
	return nil
}
