package provider

import (
	"context"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// REST says how objects of a kind travel. The zero value is right for a kind
// whose objects are listed, created, read, updated and deleted as the collection
// suggests: GET and POST of the collection, GET, PUT and DELETE of its {id}.
//
// Paths are templates. A variable is the name of an attribute, or id. A query
// belongs to reads, but for values that are variables: they are a part of the
// address, and in writes a parameter of the body.
type REST struct {
	// Items is where a new object is sent. "" takes the kind's Collection.
	Items string
	// Item is where one object is read, updated and deleted. "" takes Items/{id}.
	Item string
	// Create and Update are the methods that make and change an object. "" takes
	// POST and PUT.
	Create, Update string
	// Delete is where one is deleted, with its whole query, of which empty values
	// are left out. "" takes Item.
	Delete string
	// Restore is where something that is marked for deletion is brought back.
	Restore string
	// Invitations is where people are listed and posted who are to become such an
	// object, by their e-mail address.
	Invitations string

	// ID is the field that identifies an object, or several separated by commas.
	// "" takes id.
	ID string
	// Within is the field of the answer under Collection that holds the objects,
	// where they have no list of their own. It is read again after each write.
	Within string
	// ListOnly is set where there is no request for a single object.
	ListOnly bool
	// EmptyIs404 is set where hosts answer an empty list with 404.
	EmptyIs404 bool
	// ReadEach is set where a list does not tell which objects are the owner's own,
	// so that each of them is read.
	ReadEach bool
	// ReadAfterCreate is set where a creation answers with no more than the id and
	// what is shown once.
	ReadAfterCreate bool
	// Shared is set where the host has one object of a key for all owners, and a creation
	// elsewhere joins it. One that collides with another at the same time is sent again.
	Shared bool
	// Recreate is set where hosts have no update. An object that changes is deleted
	// and created at once, with what it has beyond what is stated.
	Recreate bool
	// Disable is the body of the update that stands in for a deletion, where there
	// is none.
	Disable map[string]any

	// CreateBody completes the body of a creation.
	CreateBody func(o schema.Object, body map[string]any) error
	// UpdateBody completes the body of an update, where that depends on what is there.
	UpdateBody func(ctx context.Context, w *Write, body map[string]any) error
	// Before and After change attributes that have endpoints of their own, in this
	// order around an update. After a creation only those in After run, for what the
	// answer does not have right already.
	Before, After []Action
	// AfterWrite ends a write, given the last answer.
	AfterWrite func(ctx context.Context, w *Write, answer Record) error
	// ReleaseForDelete ends what a host refuses a deletion for with 403. The deletion
	// is tried again then.
	ReleaseForDelete func(ctx context.Context, p *Provider, o schema.Object) error

	// Reads names the fields of answers that Decode takes.
	Reads []string
	// Decode sets what the table cannot: references, state, note. It returns an error
	// for what it cannot read: whose an object is must not be guessed.
	Decode func(d *Decoder, r Record, o *schema.Object) error
	// Lookup finds objects by keys that are no part of a path. It returns a reading
	// for each ask, in their order.
	Lookup func(ctx context.Context, p *Provider, asks []schema.Ask) []schema.Reading
	// Mistaken returns what an id or path is of, if it is not of an object of this kind
	// but of something that people take for one.
	Mistaken func(ctx context.Context, p *Provider, id string) error
}

// Action is a request that changes one attribute.
type Action struct {
	// Attr is the attribute that it changes.
	Attr string
	// When is the value that it changes the attribute to. The zero value stands for
	// any.
	When cty.Value
	// Method and Path say what is requested.
	Method, Path string
	// Parameter carries the value. "" sends none.
	Parameter string
	// Run takes the place of the request where it takes several.
	Run func(ctx context.Context, w *Write) error
}

// changesTo reports whether the action makes the attribute be v.
func (a Action) changesTo(v cty.Value) bool {
	return a.When == cty.NilVal || !v.IsNull() && v.RawEquals(a.When)
}

// hasActionFor reports whether any of the actions changes the attribute.
func hasActionFor(list []Action, name string) bool {
	return slices.ContainsFunc(list, func(a Action) bool { return a.Attr == name })
}
