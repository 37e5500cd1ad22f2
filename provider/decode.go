package provider

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Decoder decodes the objects of one kind and collection from JSON. Ten thousand of
// them live at once, so equal short values and references to the same object are
// shared. A Decoder is for one goroutine.
type Decoder struct {
	kind   *Kind
	id     []string // the fields that identify
	owner  *schema.Attr
	of     cty.Value // what owner refers to; NilVal if only answers have it
	fields map[string]*field
	order  []*field // those with an attribute, as in the table
	veiled []*Attr  // secrets; answers say at most that they are unset
	refs   map[string]cty.Value
	row    Record
	host   string // the name of the host that answers, without a port
	traces bool   // objects have a Trace
	brief  bool   // answers are incomplete, so the kind's Decode is not run
}

// field is a field of answers. attr is nil for those that only the kind's Decode
// reads.
type field struct {
	name   string
	attr   *schema.Attr
	seen   map[string]cty.Value
	decode func(raw []byte) (cty.Value, error)
}

// idName is the name of the attribute, the field and the path variable of an id.
const idName = "id"

// These bound sharing: longer texts hardly repeat, and a field with many different
// values gains nothing.
const (
	shortText = 32
	fewEnough = 256
)

// newDecoder returns a decoder of objects of k that belong to the owner of that id, or
// to the one in the answers if it is "". It keeps the named attributes, or all if
// keep is nil.
func newDecoder(k *Kind, owner string, keep []string) *Decoder {
	d := &Decoder{kind: k, id: strings.Split(cmp.Or(k.API.ID, idName), ","), owner: k.Owner(),
		fields: map[string]*field{}, refs: map[string]cty.Value{}, row: Record{}}
	if d.owner != nil && owner != "" {
		d.of = d.ref(owner, "")
	}
	for _, name := range slices.Concat(d.id, k.API.Reads) {
		d.fields[name] = &field{}
	}
	if keep != nil {
		keep = slices.Concat(keep, []string{idName, k.Called}, k.Match.Attrs())
		if k.Tree != nil {
			keep = append(keep, k.Tree.Full)
		}
	}
	for i := range k.Attrs {
		a := &k.Attrs[i]
		if a.RefKind() != "" && !a.ManyRefs() || a.SentOnce() || keep != nil && !slices.Contains(keep, a.Name) {
			continue
		}
		if a.IsSecret() && !a.Readable() && a.Mode != schema.Computed {
			d.fields[k.Table[i].fieldName()], d.veiled = &field{}, append(d.veiled, &k.Table[i])
			continue
		}
		f := &field{k.Table[i].fieldName(), a, map[string]cty.Value{}, k.Table[i].Decode}
		d.fields[f.name] = f
		d.order = append(d.order, f)
	}
	return d
}

// withTraces makes the decoder set the Trace of objects.
func (d *Decoder) withTraces() {
	d.traces = true
	for _, name := range []string{"created_at", "updated_at", "created_by", "created_by_name"} {
		if d.fields[name] == nil {
			d.fields[name] = &field{}
		}
	}
}

// traceOf returns the trace in an answer, or nil.
func traceOf(r Record) *schema.Trace {
	t := schema.Trace{Made: r.Text("created_at"), Changed: r.Text("updated_at"),
		By: cmp.Or(r.TextIn("created_by", "username"), r.Text("created_by_name"))}
	if t == (schema.Trace{}) {
		return nil
	}
	return &t
}

// read returns the wanted fields of an answer. They are valid until the next call.
func (d *Decoder) read(raw []byte) Record {
	clear(d.row)
	for name, value := range members(raw) {
		if d.fields[string(name)] != nil {
			d.row[string(name)] = value
		}
	}
	return d.row
}

// longestID is how many characters an id can have. Some are several names of 255 characters.
const longestID = 2048

// object decodes one answer. Attributes that are not in the answer are not in the
// object.
func (d *Decoder) object(raw []byte) (schema.Object, error) {
	r := d.read(raw)
	o := schema.Object{Kind: &d.kind.Kind, ID: d.identity(r)}
	if r := schema.AsRef(d.of); o.ID == "" && r != nil && d.kind.Holds != schema.Many {
		o.ID = r.ID // a single object may lack an id of its own
	}
	if o.ID == "" {
		return o, fmt.Errorf("the response for the %s has no id: %.80s", d.kind.Name, raw)
	}
	if len(o.ID) > longestID {
		return o, fmt.Errorf("the response for the %s has an id of %d characters: %.80s", d.kind.Name, len(o.ID), raw)
	}
	o.Value.Grow(len(r) + 1)
	if d.of != cty.NilVal {
		o.Value.Set(d.owner, d.of)
	}
	for _, f := range d.order {
		raw, answered := r[f.name]
		if !answered || f.attr.IsSecret() && isNull(raw) {
			continue
		}
		v, err := d.value(f, raw)
		if err != nil {
			return o, fmt.Errorf("%s of %s %s: %w", f.name, d.kind.Name, o.ID, err)
		}
		if v == cty.NilVal {
			continue
		}
		if f.attr.IsSecret() {
			v = v.Mark(schema.Secret)
		}
		o.Value.Set(f.attr, v)
	}
	for _, a := range d.veiled {
		if raw, answered := r[a.fieldName()]; answered && slices.Contains(emptyAnswers, string(raw)) {
			o.Unset = append(o.Unset, a.Name)
		}
	}
	if d.traces {
		o.Trace = traceOf(r)
	}
	if d.kind.API.Decode == nil || d.brief {
		return o, nil
	}
	if err := d.kind.API.Decode(d, r, &o); err != nil {
		return o, fmt.Errorf("the %s %s: %w", d.kind.Name, o.ID, err)
	}
	return o, nil
}

// emptyAnswers are the values by which answers say that a secret is not set.
var emptyAnswers = []string{"null", `""`, "[]", "{}"}

// identity joins the fields that identify an object, without empty ones.
func (d *Decoder) identity(r Record) string {
	parts := make([]string, len(d.id))
	for i, name := range d.id {
		parts[i] = r.Text(name)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ":")
}

func (d *Decoder) value(f *field, raw []byte) (cty.Value, error) {
	switch {
	case f.decode != nil:
		return f.decode(raw)
	case f.attr.ManyRefs():
		return d.references(raw)
	}
	if v, ok := f.seen[string(raw)]; ok {
		return v, nil
	}
	read := fromJSON
	if f.attr.Partial() {
		read = textsFromJSON
	}
	v, err := read(raw, f.attr.Type)
	if err == nil && len(raw) <= shortText && len(f.seen) < fewEnough {
		f.seen[string(raw)] = v
	}
	return v, err
}

// ref returns the one reference to that id. A later call may add the path.
func (d *Decoder) ref(id, path string) cty.Value {
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

// nameFields are the fields that name an object in a list.
var nameFields = []string{"username", "full_path", "path_with_namespace", "name"}

// references returns the references to a list of objects or ids.
func (d *Decoder) references(raw []byte) (cty.Value, error) {
	if isNull(raw) {
		return schema.RefsVal(nil), nil
	}
	var rows []json.RawMessage
	if err := json.Unmarshal(raw, &rows); err != nil {
		return cty.NilVal, err
	}
	refs := make([]*schema.Ref, len(rows))
	for i, row := range rows {
		r := Record{}
		for name, value := range members(row) {
			r[string(name)] = value
		}
		id, name := cmp.Or(r.Text(idName), textOf(row)), ""
		if _, path, ok := strings.Cut(r.Text("web_url"), "/groups/"); ok && r.Text("full_path") == "" {
			name = path // of a group that has no other path here
		}
		for _, field := range nameFields {
			name = cmp.Or(name, r.Text(field))
		}
		refs[i] = schema.AsRef(d.ref(id, name))
	}
	return schema.RefsVal(refs), nil
}
