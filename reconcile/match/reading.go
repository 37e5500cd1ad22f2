package match

import (
	"iter"
	"maps"
	"strings"

	"hew/schema"
)

// Readings are what the host says.
type Readings struct {
	colls  map[schema.Collection]*Collection
	found  map[lookup]schema.Reading
	states map[Thing]schema.State // of things that may be archived
	wave   wave
	keep   map[string][]string // attributes worth holding, by kind
	trace  bool                // lists tell who made their objects, and when
}

// wave is what is to be read next, and what was asked for ever.
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
	Thing
	owner string
	full  bool
}

// Look returns the single object asked for. It reports false while that has to
// be read, which the next wave does.
func (r *Readings) Look(a schema.Ask) (schema.Reading, bool) {
	id := lookup{Thing{a.Kind.Name, a.ID, strings.ToLower(a.Key)}, a.Owner, a.Keep != nil}
	if reading, ok := r.found[id]; ok {
		return reading, true
	}
	if !r.wave.asked[id] {
		r.wave.asked[id] = true
		if a.Keep == nil {
			a.Keep = r.keep[a.Kind.Name]
		}
		r.wave.asks, r.wave.ids = append(r.wave.asks, a), append(r.wave.ids, id)
	}
	return schema.Reading{}, false
}

// List returns a collection, nil while that has to be read, which the next
// wave does.
func (r *Readings) List(k *schema.Kind, coll schema.Collection) *Collection {
	if c := r.colls[coll]; c != nil {
		return c
	}
	if !r.wave.wanted[coll] {
		r.wave.wanted[coll] = true
		r.wave.queries = append(r.wave.queries, schema.Query{Collection: coll, Kind: k, Keep: r.keep[k.Name],
			Trace: r.trace})
	}
	return nil
}

// Wanted returns what the wave asks for: collections and single objects.
func (r *Readings) Wanted() ([]schema.Query, []schema.Ask) { return r.wave.queries, r.wave.asks }

// WantsReading reports whether the wave asks for anything.
func (r *Readings) WantsReading() bool { return !r.wave.empty() }

// ForgetWanted drops what the wave asks for, once it was read.
func (r *Readings) ForgetWanted() { r.wave.clear() }

// Count returns how many collections and single objects were read.
func (r *Readings) Count() int { return len(r.colls) + len(r.found) }

// Collections yields every collection that was read.
func (r *Readings) Collections() iter.Seq2[schema.Collection, *Collection] { return maps.All(r.colls) }

// CollectionAt returns a collection that was read, nil for another.
func (r *Readings) CollectionAt(coll schema.Collection) *Collection { return r.colls[coll] }

// Kept returns the attributes of a kind that are worth holding of live objects.
func (r *Readings) Kept(k *schema.Kind) []string { return r.keep[k.Name] }

// Receive takes in the answers to what the wave asked for, in its order.
func (r *Readings) Receive(lists, singles []schema.Reading) {
	for i, q := range r.wave.queries {
		r.colls[q.Collection] = NewCollection(q, lists[i])
		r.recordStates(lists[i].Objects)
	}
	for i, id := range r.wave.ids {
		r.found[id] = singles[i]
		r.recordStates(singles[i].Objects)
	}
}

// recordStates keeps the state of things that have others in them, so that a
// reference by id needs no lookup.
func (r *Readings) recordStates(objs []schema.Object) {
	for _, o := range objs {
		if o.Kind.Tree != nil {
			r.states[ByID(o.Kind.Name, o.ID)] = o.State
		}
	}
}
