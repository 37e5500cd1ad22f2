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

// kind is one sort of object: its table, and how the API speaks of it.
type kind struct {
	schema.Kind
	API rest
}

// rest says how a kind travels. The verbs follow from the two paths; what an
// API does its own way is a field here, so that kinds stay tables.
type rest struct {
	// Items is where a new object is posted. Item reads, updates and deletes
	// one; its query belongs to reads alone. Variables are attributes that
	// hold references, and id. (What is listed is Kind.Collection.)
	Items, Item string
	// Restore brings back what is marked for deletion.
	Restore string
	// Column names an attribute's field in answers where it differs from the
	// one in requests.
	Column map[string]string
	// Encode turns a stated value into its JSON where the plain form will not
	// do.
	Encode map[string]func(cty.Value) any
	// New completes the body of a creation.
	New func(o schema.Object, body map[string]any)
	// Late attributes are ignored by a creation and sent in an update after it.
	Late []schema.Attr
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

// late tells whether the attribute waits for an update after creation.
func (k *kind) late(name string) bool {
	return slices.ContainsFunc(k.API.Late, func(a schema.Attr) bool { return a.Name == name })
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
