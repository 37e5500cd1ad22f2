package provider

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
)

// What the functions in [REST] work with.

// Want returns the object as it is wanted.
func (w *Write) Want() schema.Object { return w.want }

// Now returns the object as the host last answered it. In a creation it has no id
// before the first answer.
func (w *Write) Now() schema.Object { return w.now }

// Sent reports whether a request of this write carried the attribute.
func (w *Write) Sent(name string) bool {
	for _, a := range w.sent {
		if a.Name == name {
			return true
		}
	}
	return false
}

// Client returns the client of the host.
func (w *Write) Client() *client.Client { return w.p.client }

// Record reads the object and returns the fields of the answer that the kind has
// attributes or Reads for.
func (w *Write) Record(ctx context.Context) (Record, error) {
	raw, _, err := w.p.get(ctx, w.kind, w.now)
	if err != nil {
		return nil, w.Explain(err)
	}
	return newDecoder(w.kind, "", nil).read(raw), nil
}

// Reread makes the object be what the host has by now.
func (w *Write) Reread(ctx context.Context) error {
	raw, err := w.p.getWhole(ctx, w.kind, w.now, nil)
	if err != nil {
		return w.Explain(err)
	}
	return w.decodeAnswer(raw)
}

// Explain adds the role that the kind takes to an error that refuses permission.
func (w *Write) Explain(err error) error { return withRole(w.kind, err) }

// Owner returns what the objects of the list belong to. It is nil where an object
// was asked for by itself.
func (d *Decoder) Owner() *schema.Ref { return schema.AsRef(d.of) }

// Reference returns the one reference to the thing of that id. The path may be ""
// where the answer does not tell it.
func (d *Decoder) Reference(id, path string) *schema.Ref { return schema.AsRef(d.ref(id, path)) }

// SetReference sets a reference attribute of an object. Without an id it is null.
func (d *Decoder) SetReference(o *schema.Object, attr, id, path string) {
	v := cty.NullVal(schema.RefType)
	if id != "" {
		v = d.ref(id, path)
	}
	o.Value.Set(o.Kind.Attr(attr), v)
}
