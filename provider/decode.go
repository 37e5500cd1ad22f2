package provider

import (
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// record holds the fields of one answer that somebody wants, as JSON.
type record map[string][]byte

// text returns a field that is a string or a number as text; "" for null, for
// anything else and for what the answer does not have.
func (r record) text(name string) string { return textOf(r[name]) }

// in returns a member of a field that is an object, as text does.
func (r record) in(name, member string) string {
	for n, v := range members(r[name]) {
		if string(n) == member {
			return textOf(v)
		}
	}
	return ""
}

// is tells whether a field is true.
func (r record) is(name string) bool { return string(r[name]) == "true" }

func textOf(raw []byte) string {
	switch {
	case isNull(raw):
		return ""
	case raw[0] >= '0' && raw[0] <= '9':
		return string(raw)
	}
	v, err := fromJSON(raw, cty.String)
	if err != nil {
		return ""
	}
	return v.AsString()
}

// decoder makes objects of one kind, from one collection, out of JSON. Ten
// thousand of them live at once, so equal short values and references to one
// thing are shared. It is for one goroutine.
type decoder struct {
	kind    *kind
	owner   *schema.Attr
	of      cty.Value // what owner refers to; NilVal where only answers tell
	columns map[string]*column
	order   []*column // those with an attribute, as in the table
	refs    map[string]cty.Value
	row     record
}

// column is a field of the answer; attr is nil for those that only the kind's
// Decode reads.
type column struct {
	name string
	attr *schema.Attr
	seen map[string]cty.Value
}

// Bounds of sharing: longer texts hardly repeat, and a column with many
// different values gains nothing.
const (
	shortText  = 32
	fewEnough  = 256
	identifier = "id"
)

// decode prepares for objects of k that belong to the owner of that id ("" if
// answers tell), with the kept attributes, or all where keep is nil.
func decode(k *kind, owner string, keep []string) *decoder {
	d := &decoder{kind: k, owner: k.Owner(), columns: map[string]*column{}, refs: map[string]cty.Value{}, row: record{}}
	if d.owner != nil && owner != "" {
		d.of = d.ref(owner, "")
	}
	for _, name := range append([]string{identifier}, k.API.Reads...) {
		d.columns[name] = &column{}
	}
	always := append([]string{identifier}, k.Match.Keys...)
	if k.Tree != nil {
		always = append(always, k.Tree.Full)
	}
	for i := range k.Attrs {
		a := &k.Attrs[i]
		if a.Ref != "" || a.Secret || a.Once || keep != nil && !slices.Contains(always, a.Name) && !slices.Contains(keep, a.Name) {
			continue
		}
		c := &column{k.column(a), a, map[string]cty.Value{}}
		d.columns[c.name] = c
		d.order = append(d.order, c)
	}
	return d
}

// column is the attribute's field in answers.
func (k *kind) column(a *schema.Attr) string {
	if c := k.API.Column[a.Name]; c != "" {
		return c
	}
	return a.WireName()
}

// read takes the wanted fields from an answer. They are good until the next.
func (d *decoder) read(raw []byte) record {
	clear(d.row)
	for name, value := range members(raw) {
		if d.columns[string(name)] != nil {
			d.row[string(name)] = value
		}
	}
	return d.row
}

// object decodes one answer. An attribute that the answer does not have is not
// in the object either.
func (d *decoder) object(raw []byte) (schema.Object, error) {
	r := d.read(raw)
	o := schema.Object{Kind: &d.kind.Kind, ID: r.text(identifier)}
	if o.ID == "" {
		return o, fmt.Errorf("the host answered a %s without id: %.80s", d.kind.Name, raw)
	}
	o.Value.Grow(len(r) + 1)
	if d.of != cty.NilVal {
		o.Value.Set(d.owner, d.of)
	}
	for _, c := range d.order {
		raw, answered := r[c.name]
		if !answered {
			continue
		}
		v, err := c.value(raw)
		if err != nil {
			return o, fmt.Errorf("%s of %s %s: %w", c.name, d.kind.Name, o.ID, err)
		}
		o.Value.Set(c.attr, v)
	}
	if d.kind.API.Decode != nil {
		d.kind.API.Decode(d, r, &o)
	}
	return o, nil
}

func (c *column) value(raw []byte) (cty.Value, error) {
	if v, ok := c.seen[string(raw)]; ok {
		return v, nil
	}
	v, err := fromJSON(raw, c.attr.Type)
	if err == nil && len(raw) <= shortText && len(c.seen) < fewEnough {
		c.seen[string(raw)] = v
	}
	return v, err
}

// ref is the one reference to that id; the path may be told later, or never.
func (d *decoder) ref(id, path string) cty.Value {
	v, ok := d.refs[id]
	if !ok {
		v = schema.RefVal(&schema.Ref{ID: id, Path: path})
		d.refs[id] = v
	}
	if r := schema.AsRef(v); r.Path == "" {
		r.Path = path
	}
	return v
}

// refer sets a reference attribute; without an id it is null.
func (d *decoder) refer(o *schema.Object, attr, id, path string) {
	v := cty.NullVal(schema.RefType)
	if id != "" {
		v = d.ref(id, path)
	}
	o.Value.Set(o.Kind.Attr(attr), v)
}
