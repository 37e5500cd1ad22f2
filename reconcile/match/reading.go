package match

import (
	"iter"
	"maps"
	"strings"

	"hew/schema"
)

// Readings hold the host's responses, and the reads wanted next.
type Readings struct {
	colls  map[schema.Collection]*Collection
	found  map[askKey]schema.Reading
	states map[RefKey]schema.State // of groups and projects
	// wave is the reads wanted next, and a record of all reads ever wanted.
	wave  wave
	keep  map[string][]string // attributes to keep, by kind
	trace bool                // lists report who created their objects, and when
}

// wave is what is to be read next, and what was asked for ever.
type wave struct {
	queries []schema.Query
	asks    []schema.Ask
	ids     []askKey // of asks
	wanted  map[schema.Collection]bool
	asked   map[askKey]bool
}

func (v *wave) clear() { v.queries, v.asks, v.ids = nil, nil, nil }

func (v *wave) empty() bool { return len(v.queries)+len(v.asks) == 0 }

// askKey identifies an Ask. A data source asks for more attributes, so full is part of the key.
type askKey struct {
	RefKey
	owner string
	full  bool
}

// Lookup returns the result of a single-object read. It returns false until the read is done, which
// the next wave does.
func (r *Readings) Lookup(a schema.Ask) (schema.Reading, bool) {
	id := askKey{RefKey{a.Kind.Name, a.ID, strings.ToLower(a.Key)}, a.Owner, a.Keep != nil}
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

// List returns a collection, or nil until it is read, which the next wave does.
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

// Wanted returns the collections and single objects to read in this wave.
func (r *Readings) Wanted() ([]schema.Query, []schema.Ask) { return r.wave.queries, r.wave.asks }

// WantsReading reports whether the wave has anything to read.
func (r *Readings) WantsReading() bool { return !r.wave.empty() }

// ForgetWanted clears the wave's reads after they are done.
func (r *Readings) ForgetWanted() { r.wave.clear() }

// Count returns how many collections and single objects were read.
func (r *Readings) Count() int { return len(r.colls) + len(r.found) }

// Collections yields every collection that was read.
func (r *Readings) Collections() iter.Seq2[schema.Collection, *Collection] { return maps.All(r.colls) }

// CollectionAt returns a collection that was read, or nil.
func (r *Readings) CollectionAt(coll schema.Collection) *Collection { return r.colls[coll] }

// Kept returns the attributes of a kind that are kept in memory.
func (r *Readings) Kept(k *schema.Kind) []string { return r.keep[k.Name] }

// Receive stores the results of the wave's reads, in the order of Wanted.
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

// recordStates keeps the states of groups and projects, so that a reference by id needs no lookup.
func (r *Readings) recordStates(objs []schema.Object) {
	for _, o := range objs {
		if o.Kind.Tree != nil {
			r.states[ByID(o.Kind.Name, o.ID)] = o.State
		}
	}
}
