package foreign

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config/composite"
	"hew/schema"
)

// Reporter receives what a translation finds, and reads bodies with the caller's
// error messages. Package config's loader is one.
type Reporter interface {
	Fail(at hcl.Range, summary, format string, args ...any)
	Note(at hcl.Range, format string, args ...any)
	// Mask hides the literals of a secret from snippets of source.
	Mask(hcl.Expression)
	// Content reads a nested body; what names the block in errors, at is its header.
	Content(body hcl.Body, s *hcl.BodySchema, what string, at hcl.Range) *hcl.BodyContent
}

// Block is a block that is written in the names of an alias.
type Block struct {
	Alias      *schema.Alias // one without Cases
	Type, Name string        // its labels
	Address    string        // for errors: data.gitlab_group.acme
	Range      hcl.Range     // its header
	Attributes hcl.Attributes
	Blocks     []composite.Block
	// Misspelt holds the arguments that unexpected ones probably stand for: their
	// absence is not reported again.
	Misspelt map[string]bool
}

// Translation is a block in the names of its kind.
type Translation struct {
	Arguments  []Argument
	Blocks     []composite.Block // nested blocks that Alias.Blocks describes
	Objects    []Object
	Ignored    []Ignored
	Incomplete bool // required arguments are missing
}

// Argument is an argument and the kind's attribute that it states. Its Name is the
// one that is written.
type Argument struct {
	Attr *schema.Attr
	hcl.Attribute
	Others   []hcl.Attribute // further arguments that state the attribute; one of all may be set
	Fallback hcl.Expression  // the value if none of them is set, or nil
}

// Ignored is an argument that has no counterpart. It is noted, or an error if it is
// Refused, unless its value asks for nothing.
type Ignored struct {
	hcl.Attribute
	Refused bool
	Detail  string // of the note or the error
}

// translator translates one block.
type translator struct {
	Reporter
	Block
	kinds  schema.Catalog
	out    Translation
	stated map[string]int               // by attribute, the index of its argument
	parts  map[string][]composite.Field // of attributes that several names state together
}

// Translate returns a block in the names of its kind, one of kinds.
func Translate(b Block, kinds schema.Catalog, r Reporter) Translation {
	t := &translator{
		Reporter: r,
		Block:    b,
		kinds:    kinds,
		stated:   map[string]int{},
		parts:    map[string][]composite.Field{},
	}
	for i := range b.Alias.Names {
		n := &b.Alias.Names[i]
		if in := b.Attributes[n.Name]; in != nil && n.Name != b.Alias.By { // which Case has read
			t.argument(n, in)
		}
		if n.Shape == schema.Single || n.Shape == schema.Repeated {
			t.list(n)
		}
	}
	t.joinParts()
	for i := range b.Alias.Names {
		t.addDefault(&b.Alias.Names[i])
	}
	for name, v := range b.Alias.Fixed {
		t.state(b.Alias.Kind.Attr(name), name, hcl.StaticExpr(v, b.Range), b.Range, b.Range)
	}
	t.checkRequired()
	for _, in := range b.Blocks {
		t.nested(in)
	}
	return t.out
}

// argument translates an argument.
func (t *translator) argument(n *schema.Naming, in *hcl.Attribute) {
	a := t.Alias.Kind.Attr(n.Attr)
	switch {
	case a == nil:
		t.ignore(n, in)
		return
	case n.Shown || a.Mode == schema.Computed:
		t.Fail(in.NameRange, "Value for unconfigurable attribute",
			"%s of %s is set by the host, so a configuration cannot set it. Remove the line.", n.Name, t.Type)
		return
	case n.Part != "":
		if a.IsSecret() || n.Secret || slices.Contains(a.HiddenKeys(), n.Part) {
			t.Mask(in.Expr)
		}
		t.parts[a.Name] = append(t.parts[a.Name],
			composite.Field{Name: n.Part, Expr: t.value(n, in.Expr), Range: in.Range})
		return
	case a.IsSecret():
		t.Mask(in.Expr)
	}
	t.state(a, n.Name, t.value(n, in.Expr), in.Range, in.NameRange)
}

// value returns an expression for the attribute's value.
func (t *translator) value(n *schema.Naming, e hcl.Expression) hcl.Expression {
	if n.In != nil && n.Of == "" {
		e = composite.Convert(e, t.label(n.Name), n.In)
	}
	return e
}

// label names an argument in errors.
func (t *translator) label(name string) string { return fmt.Sprintf("%s of %s", name, t.Address) }

// state adds an argument for an attribute.
func (t *translator) state(a *schema.Attr, name string, e hcl.Expression, at, nameAt hcl.Range) {
	written := hcl.Attribute{Name: name, Expr: e, Range: at, NameRange: nameAt}
	if i, twice := t.stated[a.Name]; twice {
		t.out.Arguments[i].Others = append(t.out.Arguments[i].Others, written)
		return
	}
	t.stated[a.Name] = len(t.out.Arguments)
	t.out.Arguments = append(t.out.Arguments, Argument{Attr: a, Attribute: written})
}

// joinParts adds one argument for each attribute that several names state
// together.
func (t *translator) joinParts() {
	for i := range t.Alias.Kind.Attrs {
		a := &t.Alias.Kind.Attrs[i]
		if len(t.parts[a.Name]) == 0 {
			continue
		}
		t.deriveParts(a)
		fields := t.parts[a.Name]
		at := fields[0].Range
		e := composite.Object(fields, at, nil).DropNull()
		if join := t.Alias.For(a.Name).Whole; join != nil {
			e = composite.Convert(e, t.label(a.Name),
				func(v cty.Value) (cty.Value, error) { return join(v.AsValueMap()) })
		}
		t.state(a, a.Name, e, at, at)
	}
}

// deriveParts adds the parts of an attribute that Terraform's provider derives from
// another argument.
func (t *translator) deriveParts(a *schema.Attr) {
	for i := range t.Alias.Names {
		n := &t.Alias.Names[i]
		of := t.Attributes[n.Of]
		if n.Attr != a.Name || n.Part == "" || of == nil {
			continue
		}
		fields := t.parts[a.Name]
		at := slices.IndexFunc(fields, func(f composite.Field) bool { return f.Name == n.Part })
		if at < 0 {
			t.parts[a.Name] = append(fields, composite.Field{Name: n.Part, Expr: of.Expr, Range: of.Range})
			continue
		}
		fields[at].Expr = composite.Default(fields[at].Expr, of.Expr)
	}
}

// addDefault adds the value that Terraform's provider has for an argument that is not
// set.
func (t *translator) addDefault(n *schema.Naming) {
	a := t.Alias.Kind.Attr(n.Attr)
	if a == nil || n.Part != "" {
		return
	}
	var fallback hcl.Expression
	at, nameAt := t.Range, t.Range
	if of := t.Attributes[n.Of]; of != nil {
		fallback, at, nameAt = composite.Convert(of.Expr, t.label(n.Name), n.In), of.Range, of.NameRange
	}
	if n.Default != cty.NilVal {
		value := hcl.StaticExpr(n.Default, t.Range)
		if fallback != nil {
			fallback = composite.Default(fallback, value)
		} else {
			fallback = value
		}
	}
	if i, stated := t.stated[n.Attr]; stated && fallback != nil {
		t.out.Arguments[i].Fallback = fallback
	} else if fallback != nil {
		t.state(a, n.Name, fallback, at, nameAt)
	}
}
