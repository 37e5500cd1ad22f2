package provider

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
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
	// it says otherwise; its query belongs to reads alone. Variables are
	// attributes that hold references, and id.
	Items, Item string
	// Within is the field of the answer under Collection that holds the objects,
	// where there is no list of their own. After a write it is read again.
	Within string
	// ID is the field that identifies an object; "id" unless it says otherwise.
	ID string
	// Anew: the host has no update, so an object that changes is deleted and
	// created again at once, with what it has beyond what is stated.
	Anew bool
	// Invitations is where those are who are to become such an object, by their
	// e-mail address.
	Invitations string
	// Alone is the query of a deletion that would otherwise take along what is
	// not in the object.
	Alone url.Values
	// Restore brings back what is marked for deletion.
	Restore string
	// New completes the body of a creation.
	New func(o schema.Object, body map[string]any)
	// Before and After are attributes with endpoints of their own, in the order
	// around an update. After a creation only those in After are run, for what
	// the answer does not have right already.
	Before, After []act
	// Reads names fields of the answer for Decode, which sets what the table
	// cannot: references, state, note.
	Reads  []string
	Decode func(d *decoder, r record, o *schema.Object)
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
}

// fits tells whether the act makes the attribute be v.
func (a act) fits(v cty.Value) bool {
	return a.When == cty.NilVal || !v.IsNull() && v.RawEquals(a.When)
}

// acts tells whether any of the acts changes the attribute.
func acts(list []act, name string) bool {
	return slices.ContainsFunc(list, func(a act) bool { return a.Attr == name })
}

// place fills a template from an object, without the query.
func place(template string, o schema.Object) client.Path {
	template, _, _ = strings.Cut(template, "?")
	return client.Expand(template, func(name string) string { return pathVariable(o, name) })
}

// pathVariable is what stands for a variable: the object's own id, or what one
// of its references leads to.
func pathVariable(o schema.Object, name string) string {
	if name == identifier {
		return o.ID
	}
	switch r := schema.AsRef(o.Get(name)); {
	case r == nil:
		return ""
	case r.ID != "":
		return r.ID
	default:
		return r.Path
	}
}

// get reads one object of a kind as JSON. o needs only what its path is made of.
func (p *Provider) get(ctx context.Context, k *kind, o schema.Object) (json.RawMessage, client.Reply, error) {
	var answer json.RawMessage
	_, query, _ := strings.Cut(k.API.Item, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, client.Reply{}, err
	}
	reply, err := p.client.Get(ctx, place(k.API.Item, o), values, &answer)
	return answer, reply, err
}
