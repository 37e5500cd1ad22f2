package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/addr"
	"hew/reconcile/config/foreign"
	"hew/schema"
)

var importSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "to", Required: true}, {Name: "id", Required: true}, {Name: "for_each"}},
}

// importBlock is an import block.
type importBlock struct {
	to    hcl.Expression
	id    hcl.Expression
	steps []addressStep // of to, as they are written
	at    addr.Instance // to without the keys that are worked out
}

// addressStep is a part of an address: a text, or a key that is worked out.
type addressStep struct {
	text string
	key  hcl.Expression
}

// splitAddress parts an address at the keys that are worked out; nil for what is none.
func splitAddress(e hcl.Expression) []addressStep {
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return []addressStep{{text: formatTraversal(e.Traversal)}}
	case *hclsyntax.RelativeTraversalExpr:
		if of := splitAddress(e.Source); of != nil {
			return append(of, addressStep{text: formatTraversal(e.Traversal)})
		}
	case *hclsyntax.IndexExpr:
		if of := splitAddress(e.Collection); of != nil {
			return append(of, addressStep{key: e.Key})
		}
	}
	return nil
}

// keys are the expressions of the keys that are worked out.
func (im *importBlock) keys() (list []hcl.Expression) {
	for _, s := range im.steps {
		if s.key != nil {
			list = append(list, s.key)
		}
	}
	return list
}

// hasOwnKey tells whether the key of the object itself is worked out, and not one of
// a module that it is in.
func (im *importBlock) hasOwnKey() bool {
	return len(im.steps) > 0 && im.steps[len(im.steps)-1].key != nil
}

// format is the address as text, with what key makes of those worked out.
func (im *importBlock) format(key func(hcl.Expression) string) string {
	var text strings.Builder
	for _, s := range im.steps {
		text.WriteString(s.text)
		if s.key != nil {
			text.WriteString(key(s.key))
		}
	}
	return text.String()
}

// loadImport reads an import block. Its address is one of the configuration; with
// for_each keys in it may be worked out, from each.key or each.value.
func (l *loader) loadImport(b *hcl.Block) {
	if !l.requireRoot(b) {
		return
	}
	content, _ := l.readBody(b.Body, withTerraform(&importSchema, b, "provider"), "An import block", b.DefRange)
	to, id := content.Attributes["to"], content.Attributes["id"]
	if to == nil || id == nil {
		return
	}
	target := parseNative(to.Expr)
	im := &importBlock{to: to.Expr, id: id.Expr, steps: splitAddress(target)}
	n := &node{name: "import " + Place(b.DefRange), decl: b.DefRange, imports: im}
	n.repeat = l.readRepeat(content.Attributes)
	n.exprs = append(im.keys(), id.Expr)
	var ok bool
	if n.forEach == nil || len(im.keys()) == 0 {
		im.at, ok = l.parseAddressExpr("to", target)
	} else {
		im.at, ok = l.parseAddress("to", to.Expr.Range(), im.format(func(hcl.Expression) string { return "" }))
	}
	switch {
	case !ok:
		return
	case im.at.Kind == "":
		l.fail(to.Expr.Range(), "Invalid address",
			"to must be the address of one resource, such as group.acme; %s is a module.", im.at)
		return
	case n.forEach != nil && len(im.keys()) == 0:
		l.fail(to.Expr.Range(), "Invalid import",
			"With for_each, each import needs its own address. Write to = %s[each.key].", im.at)
		return
	}
	l.declare(n)
}

// evalImport evaluates an import block.
func (e *Eval) evalImport(n *node, f *frame, st *state) {
	r := &report{}
	d := decoder{eval: e, node: n, frame: f, state: st, report: r, ctx: e.scope(n, f)}
	items, closed := d.expand(n.repeat)
	if closed != nil {
		r.fail(n.forEach.Range(), "Value not known until apply",
			"The keys of for_each are not known until apply, but imported objects exist before. Use keys that "+
				"are known during planning.")
	}
	for _, i := range items {
		ctx := i.scope(d.ctx)
		to, ok := d.importAddress(n.imports, ctx)
		if !ok {
			continue
		}
		id, ok := d.evalScalar(n.imports.id, ctx, "id")
		if !ok {
			continue
		}
		id, _ = convert.Convert(id, cty.String) // of a text or a number
		if strings.Trim(id.AsString(), "/ ") == "" {
			r.fail(n.imports.id.Range(), "Invalid value",
				"id must not be empty. Write a number, a path, or OWNER:KEY for an object without a path.")
			continue
		}
		if a := e.cfg.kinds.Aliases[to.Kind]; a != nil && a.Kind.Holds == schema.One && a.Kind.Owner() == nil {
			continue // there is one, which is found by itself
		}
		st.imports = append(st.imports,
			Import{To: to, ID: foreign.ImportID(e.cfg.kinds.Aliases[to.Kind], id.AsString()), Decl: n.decl})
	}
	st.diags = r.diags
}

// importAddress is the address that an import is to, with the keys that are worked out.
func (d *decoder) importAddress(im *importBlock, ctx *hcl.EvalContext) (addr.Instance, bool) {
	if len(im.keys()) == 0 {
		return im.at, true
	}
	known := true
	to, err := addr.Parse(im.format(func(e hcl.Expression) string {
		key, ok := d.evalScalar(e, ctx, "A key in to")
		if !ok {
			known = false
			return ""
		}
		return "[" + formatKey(key) + "]"
	}))
	return to, known && err == nil
}

// checkDuplicateImports finds objects that two imports speak of.
func checkDuplicateImports(all []Import) hcl.Diagnostics {
	r := &report{}
	seen := map[addr.Instance]hcl.Range{}
	for _, im := range all {
		if first, twice := seen[im.To]; twice {
			r.fail(im.Decl, "Duplicate declaration",
				"%s is already imported at %s. Remove one of the two blocks.", im.To, Place(first))
		} else {
			seen[im.To] = im.Decl
		}
	}
	return r.diags
}

// evalScalar evaluates what has to be a known text or number and no secret.
func (d *decoder) evalScalar(e hcl.Expression, ctx *hcl.EvalContext, what string) (cty.Value, bool) {
	v, diags := e.Value(ctx)
	d.add(diags)
	if diags.HasErrors() {
		return v, false
	}
	secret := schema.IsSecret(v)
	v, _ = stripOrigins(v, &instanceSet{})
	v, _ = v.Unmark()
	switch t := v.Type(); {
	case secret:
		d.fail(e.Range(), "Sensitive value not allowed", "%s is shown in plans, so it must not be sensitive.", what)
	case !v.IsKnown():
		d.fail(e.Range(), "Value not known until apply",
			"%s is not known until apply. Use a value that is known during planning.", what)
	case v.IsNull() || t != cty.String && t != cty.Number:
		d.fail(e.Range(), "Invalid value", "%s must be a string or a number.", what)
	default:
		return v, true
	}
	return v, false
}
