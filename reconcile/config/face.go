package config

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

// What expressions see of a block that goes by another tool's name: its
// attributes by that tool's names, in that tool's types.

// names are the attributes of a block, as expressions say them.
func (b *Block) names() (names []string) {
	if b.Alias == nil {
		return attrNames(b.Kind)
	}
	for i := range b.Alias.Names {
		if n := &b.Alias.Names[i]; b.shows(n) {
			names = append(names, n.Name)
		}
	}
	return names
}

// shows tells whether expressions can refer to what is called so.
func (b *Block) shows(n *schema.Naming) bool { return n != nil && b.Kind.Attr(n.Attr) != nil }

// has tells whether a block has an attribute of that name.
func (b *Block) has(name string) bool {
	if b.Alias == nil {
		return b.Kind.Attr(name) != nil
	}
	return b.shows(b.Alias.Naming(name))
}

// lacks says that it has none.
func (b *Block) lacks(name string) string {
	text := b.Addr.Kind + " has no attribute \"" + name + "\""
	if b.Alias != nil {
		if n := b.Alias.Naming(name); n != nil && n.Note != "" {
			return text + because(n.Note)
		}
		if n := b.Alias.For(name); n != nil {
			return text + ". " + calledThere(n)
		}
	}
	return text + "." + didyoumean.Hint(name, b.names())
}

// attr is the kind's name of an attribute.
func (b *Block) attr(name string) string {
	if b.Alias != nil {
		if n := b.Alias.Naming(name); n != nil {
			return n.Attr
		}
	}
	return name
}

// mention notes that expressions are after those attributes.
func (b *Block) mention(names ...string) {
	if b.mentioned == nil {
		b.mentioned = map[string]bool{}
	}
	for _, name := range names {
		if b.Alias == nil {
			b.mentioned[name] = true
			continue
		}
		if b.faced == nil {
			b.faced = map[string]bool{}
		}
		b.faced[name] = true
		b.mentioned[b.attr(name)] = true
		if name == "id" {
			for _, part := range b.Alias.Parts() {
				b.mentioned[part] = true
			}
		}
	}
}

// face is an instance by another tool's names.
func (e *Eval) face(d *Desired) cty.Value {
	known := e.lookup(d)
	vals := make(map[string]cty.Value, len(d.Block.faced))
	for i := range d.Block.Alias.Names {
		n := &d.Block.Alias.Names[i]
		if !d.Block.faced[n.Name] || !d.Block.shows(n) {
			continue
		}
		v, self := shown(d, n, known)
		vals[n.Name] = v.Mark(origin{d.Addr, self && d.Addr.Mode == addr.Resource})
	}
	return cty.ObjectVal(vals)
}

// shown is one attribute; self tells whether it names the object itself.
func shown(d *Desired, n *schema.Naming, known func(string) (cty.Value, bool)) (v cty.Value, self bool) {
	k := d.Block.Kind
	if n.Name == "id" && d.Block.Alias.ID != "" {
		return composed(d, known), false
	}
	v, marks := d.attribute(k.Attr(n.Attr), known).Unmark()
	switch {
	case n.Part != "":
		v = partOf(v, n.Part)
	case n.Shape == schema.Single:
		v = asBlock(v, n.Fields)
	}
	switch {
	case n.Out == nil:
	case v.IsNull():
		v = cty.NullVal(cty.DynamicPseudoType)
	case !v.IsKnown():
		v = cty.DynamicVal
	default:
		v = n.Out(v)
	}
	if n.Secret {
		v = v.Mark(schema.Secret)
	}
	return v.WithMarks(marks), n.Part == "" && identifies(k, n.Attr)
}

// composed is an id that is made of several attributes.
func composed(d *Desired, known func(string) (cty.Value, bool)) cty.Value {
	marks := cty.ValueMarks{}
	complete := true
	id := d.Block.Alias.Fill(func(attr string) string {
		v, m := d.attribute(d.Block.Kind.Attr(attr), known).Unmark()
		for mark := range m {
			marks[mark] = struct{}{}
		}
		text, err := convert.Convert(v, cty.String)
		if err != nil || !text.IsKnown() {
			complete = false
			return ""
		}
		if text.IsNull() {
			return ""
		}
		return text.AsString()
	})
	if !complete {
		return cty.UnknownVal(cty.String).WithMarks(marks)
	}
	return cty.StringVal(id).WithMarks(marks)
}

// partOf is the part of a map.
func partOf(v cty.Value, name string) cty.Value {
	switch {
	case !v.IsKnown() || !v.Type().IsMapType():
		return cty.UnknownVal(cty.DynamicPseudoType)
	case v.IsNull() || !v.HasIndex(cty.StringVal(name)).True():
		return cty.NullVal(v.Type().ElementType())
	}
	return v.Index(cty.StringVal(name))
}

// asBlock is an object as a nested block shows: a list of one, or of none.
func asBlock(v cty.Value, fields []schema.Naming) cty.Value {
	switch {
	case !v.IsKnown() || !v.Type().IsObjectType():
		return cty.DynamicVal
	case v.IsNull():
		return cty.EmptyTupleVal
	}
	out := map[string]cty.Value{}
	for _, f := range fields {
		if f.Attr == "" || !v.Type().HasAttribute(f.Attr) {
			continue
		}
		field, marks := v.GetAttr(f.Attr).Unmark()
		if f.Out != nil {
			field = f.Out(field)
		}
		out[f.Name] = field.WithMarks(marks)
	}
	return cty.TupleVal([]cty.Value{cty.ObjectVal(out)})
}
