package plan

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/ledger"
	"hew/schema"
)

// keptKeys returns the declared keys of a map that the host does not show, if they are as they were
// last applied. The ledger has one digest of the whole map: it is that of the declared map with the
// live values of all other keys, or without those that had no value.
func (d Differ) keptKeys(a *schema.Attr, want, live cty.Value, last ledger.Digest) (kept []string) {
	bare, _ := want.UnmarkDeep()
	if !a.Partial() || bare.IsNull() || !bare.IsWhollyKnown() {
		return nil
	}
	shown, have, _ := a.Shown(want, live)
	stated := a.Canonical(bare)
	differ := have.AsValueMap()
	maps.DeleteFunc(differ, func(key string, v cty.Value) bool { return v.RawEquals(shown.GetAttr(key)) })
	filled, without := stated, stated
	for key, v := range differ {
		filled = setKey(filled, key, v)
		if v.IsNull() || schema.Text(v) == "" {
			without = setKey(without, key, cty.NilVal)
		} else {
			without = setKey(without, key, v)
		}
	}
	if !d.wasApplied(last, a, want) && !d.wasApplied(last, a, filled) && !d.wasApplied(last, a, without) {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(stated.AsValueMap())) {
		if !have.Type().HasAttribute(key) {
			kept = append(kept, key)
		}
	}
	return kept
}
