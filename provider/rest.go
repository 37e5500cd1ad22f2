package provider

import (
	"context"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// kind is one sort of object: its table, and what the API does its own way with
// it. Most kinds have nothing of the kind: their verbs follow from where they
// are listed, and the rest is said in the rows.
type kind struct {
	schema.Kind // but for Attrs, which index makes of Table
	Table       []attr
	API         rest
}

// row returns the named row, or nil.
func (k *kind) row(name string) *attr {
	for i := range k.Table {
		if k.Table[i].Name == name {
			return &k.Table[i]
		}
	}
	return nil
}

// rest says how a kind travels where that does not follow from its collection.
type rest struct {
	// Items is where a new object is posted: where the kind is listed, unless
	// it says otherwise. Item reads, updates and deletes one, Items/{id} unless
	// it says otherwise. Variables are attributes, and id. What a query has
	// variables in is a part of the address, in writes as a parameter of the body;
	// the rest of it belongs to reads alone.
	Items, Item string
	// Create and Update are the methods of the two: POST and PUT, unless they say
	// otherwise.
	Create, Update string
	// Delete is where one is deleted, with the whole query that it takes: Item,
	// unless it says otherwise. What is empty in the query is left out.
	Delete string
	// Disable is what an update says in the place of a deletion that there is none of.
	Disable map[string]any
	// Within is the field of the answer under Collection that holds the objects,
	// where there is no list of their own. After a write it is read again.
	Within string
	// Listed: there is no request for a single object, it is in its list alone.
	// Empty: a list with nothing in it is answered as if there were none.
	Listed, Empty bool
	// ReadAfterCreate: a creation answers with the id and what is shown once, and the rest
	// has to be read.
	ReadAfterCreate bool
	// ReadEach: a list does not tell which of its objects are the owner's own, so that
	// each of them is read.
	ReadEach bool
	// ID is the field that identifies an object, or several with commas between;
	// "id" unless it says otherwise.
	ID string
	// NoUpdate: the host has no update, so an object that changes is deleted and
	// created again at once, with what it has beyond what is stated.
	NoUpdate bool
	// Invitations is where those are who are to become such an object, by their
	// e-mail address.
	Invitations string
	// Leave ends what a host refuses a deletion for, which is tried again then.
	Leave func(ctx context.Context, p *Provider, o schema.Object) error
	// Restore brings back what is marked for deletion.
	Restore string
	// New completes the body of a creation.
	New func(o schema.Object, body map[string]any)
	// Edit completes the body of an update, where that depends on what is there.
	Edit func(ctx context.Context, w *write, body map[string]any) error
	// Before and After are attributes with endpoints of their own, in the order
	// around an update. After a creation only those in After are run, for what
	// the answer does not have right already.
	Before, After []act
	// Reads names fields of the answer for Decode, which sets what the table
	// cannot: references, state, note. What it cannot read is an error: whose an
	// object is must not be guessed.
	Reads  []string
	Decode func(d *decoder, r record, o *schema.Object) error
	// Settle ends a write, given the API's last answer.
	Settle func(ctx context.Context, w *write, answer record) error
	// Lookup finds by keys that are no part of a path, in the order asked.
	Lookup func(ctx context.Context, p *Provider, asks []schema.Ask) []schema.Reading
}

// act is a request that changes one attribute to one value, or, where When is
// empty, to any.
type act struct {
	Attr         string
	When         cty.Value
	Method, Path string
	// As is the parameter that carries the value; "" sends none.
	As string
	// Do is in the place of the request where it takes several.
	Do func(ctx context.Context, w *write) error
}

// fits tells whether the act makes the attribute be v.
func (a act) fits(v cty.Value) bool {
	return a.When == cty.NilVal || !v.IsNull() && v.RawEquals(a.When)
}

// acts tells whether any of the acts changes the attribute.
func acts(list []act, name string) bool {
	return slices.ContainsFunc(list, func(a act) bool { return a.Attr == name })
}
