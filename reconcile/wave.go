package reconcile

import (
	"strings"

	"hew/schema"
)

// wave is what the world wants to read next, and what it has asked for ever.
type wave struct {
	queries []schema.Query
	asks    []schema.Ask
	ids     []lookup // of asks
	wanted  map[schema.Collection]bool
	asked   map[lookup]bool
}

func (v *wave) clear() { v.queries, v.asks, v.ids = nil, nil, nil }

func (v *wave) empty() bool { return len(v.queries)+len(v.asks) == 0 }

// lookup identifies an Ask; one for a data source asks for more attributes.
type lookup struct {
	thing
	owner string
	full  bool
}

// look returns the single object asked for, or asks for it and returns false.
func (w *world) look(a schema.Ask) (schema.Reading, bool) {
	id := lookup{thing{a.Kind.Name, a.ID, strings.ToLower(a.Key)}, a.Owner, a.Keep != nil}
	if r, ok := w.found[id]; ok {
		return r, true
	}
	if !w.wave.asked[id] {
		w.wave.asked[id] = true
		if a.Keep == nil {
			a.Keep = w.keep[a.Kind.Name]
		}
		w.wave.asks, w.wave.ids = append(w.wave.asks, a), append(w.wave.ids, id)
	}
	return schema.Reading{}, false
}

// list returns the collection, or asks for it and returns nil.
func (w *world) list(k *schema.Kind, coll schema.Collection) *collection {
	if c := w.colls[coll]; c != nil {
		return c
	}
	if !w.wave.wanted[coll] {
		w.wave.wanted[coll] = true
		w.wave.queries = append(w.wave.queries, schema.Query{Collection: coll, Kind: k, Keep: w.keep[k.Name], Trace: w.traces})
	}
	return nil
}
