package pull

import (
	"errors"
	"fmt"
	"slices"

	"hew/reconcile/didyoumean"
	"hew/schema"
)

// Choose returns the kinds to pull: those in only, or all if it is empty, except those in without.
// Where a kind and its set declare the same objects, it chooses the set, which takes one block
// instead of many, unless only names the kind and not the set. It fails for an unknown name, and if
// no kind is left.
func Choose(kinds schema.Catalog, only, without []string) ([]*schema.Kind, error) {
	for _, name := range slices.Concat(only, without) {
		if kinds.Resources[name] == nil {
			hint := didyoumean.Hint(name, kinds.Names())
			if hint == "" {
				hint = " Run hew schema to list the kinds."
			}
			return nil, fmt.Errorf("%q is not a kind of resource.%s", name, hint)
		}
	}
	var chosen []*schema.Kind
	for _, name := range kinds.Names() {
		k := kinds.Resources[name]
		if len(only) > 0 && !slices.Contains(only, name) || isExcluded(k, without) {
			continue
		}
		if set := setKind(kinds, k); set != nil && (len(only) == 0 || slices.Contains(only, set.Name)) {
			continue
		}
		chosen = append(chosen, k)
	}
	if len(chosen) == 0 {
		return nil, errors.New("no kind is left to pull, because -without excludes every kind that -kinds selects. " +
			"Change one of the two")
	}
	return chosen, nil
}

// isExcluded reports whether without names a kind or the kind of its elements.
func isExcluded(k *schema.Kind, without []string) bool {
	return slices.Contains(without, k.Name) || k.Set != nil && slices.Contains(without, k.Set.Element)
}

// setKind returns the kind whose blocks declare many objects of kind k, or nil.
func setKind(kinds schema.Catalog, k *schema.Kind) *schema.Kind {
	for _, of := range kinds.Resources {
		if of.Set != nil && of.Set.Element == k.Name {
			return of
		}
	}
	return nil
}
