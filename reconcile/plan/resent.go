package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/schema"
)

// Resent says which secrets go along with an update though they are as they
// were, for the host would forget them (D16); "" where none does.
func Resent(want *config.Desired, paths []PathChange) string {
	changed := Names(paths)
	if len(changed) == 0 {
		return ""
	}
	var names []string
	for a, v := range want.Object.Value.All() {
		if whole, _ := ignores(want, a); whole || v.IsNull() || !a.Triggers(changed) ||
			slices.Contains(changed, a.Name) {
			continue
		}
		switch {
		case a.IsSecret() && !a.Readable():
			names = append(names, a.Name)
		case a.HiddenKeys() != nil:
			names = append(names, hiddenKeys(a, v)...)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is sent again: the host does not show it, and would forget it"
	}
	return strings.Join(names, ", ") + " are sent again: the host does not show them, and would forget them"
}

// hiddenKeys returns the stated keys of a map that hold secrets.
func hiddenKeys(a *schema.Attr, v cty.Value) (names []string) {
	bare, _ := v.UnmarkDeep()
	if !bare.IsKnown() || !bare.CanIterateElements() {
		return nil
	}
	fields := bare.AsValueMap()
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if a.Hides(key, fields[key]) {
			names = append(names, a.Name+"."+key)
		}
	}
	return names
}
