package match

import (
	"maps"
	"slices"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// KeptAttributes returns, by kind, the attributes of live objects to keep in memory: those that a
// block sets or mentions, those that the ledger owns, those that make a name unique, and those that
// data sources filter by.
func KeptAttributes(kinds schema.Catalog, cfg *config.Config, led *ledger.Ledger) map[string][]string {
	keep := map[string]map[string]bool{}
	add := func(kind string, attrs ...string) {
		if keep[kind] == nil {
			keep[kind] = map[string]bool{}
		}
		for _, a := range attrs {
			keep[kind][a] = true
		}
	}
	for name, k := range kinds.Resources {
		add(name, cfg.MentionedAttributes(k)...)
		if k.Tree != nil {
			add(name, k.Tree.Segment)
		}
		for _, u := range k.Unique {
			add(name, u.Attrs...)
		}
		if k.Called != "" {
			add(name, k.Called)
		}
		if k.Admits() != "" && k.LevelAttr() != "" {
			add(name, k.LevelAttr())
		}
	}
	for _, k := range kinds.Sources {
		if k.Data == nil {
			continue
		}
		for d := k.Data; d != nil; d = d.Else {
			for _, f := range d.Filters {
				add(d.Of, f.Reads...)
			}
			if rows := k.Attr(d.Rows); rows != nil && cfg.ReadsFrom(k, d.Rows) {
				add(d.Of, slices.Collect(maps.Keys(rows.Type.ElementType().AttributeTypes()))...)
			}
		}
	}
	for _, e := range led.Entries {
		k := kinds.Resource(e.Kind)
		if k == nil {
			continue
		}
		for attr := range e.Owned {
			add(k.Name, attr)
		}
	}
	out := make(map[string][]string, len(keep))
	for kind, attrs := range keep {
		out[kind] = slices.Sorted(maps.Keys(attrs))
	}
	return out
}
