package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/addr"
	"hew/schema"
)

var importSchema = hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "to", Required: true}, {Name: "id", Required: true}, {Name: "for_each"}}}

// importing is an import block.
type importing struct {
	to  hcl.Expression
	id  hcl.Expression
	key hcl.Expression // of to, where it is worked out; nil otherwise
	at  addr.Instance
}

// imports reads an import block. Its address is one of the configuration; with
// for_each its key may be each.key.
func (l *loader) imports(b *hcl.Block) {
	if !l.rootOnly(b) {
		return
	}
	content, _ := l.content(b.Body, &importSchema, "An import block", b.DefRange)
	to, id := content.Attributes["to"], content.Attributes["id"]
	if to == nil || id == nil {
		return
	}
	im := &importing{to: to.Expr, id: id.Expr}
	n := &node{name: "import " + place(b.DefRange), decl: b.DefRange, imports: im, exprs: []hcl.Expression{id.Expr}}
	n.repeat = l.repeats(content.Attributes)
	target := native(to.Expr)
	if index, ok := target.(*hclsyntax.IndexExpr); ok && n.forEach != nil {
		im.key, target = index.Key, index.Collection
		n.exprs = append(n.exprs, index.Key)
	}
	var ok bool
	if im.at, ok = l.addressOf("to", target); !ok {
		return
	}
	switch {
	case im.at.Kind == "":
		l.fail(to.Expr.Range(), "Invalid address", "to is the address of one resource, as in group.acme, and %s is a module.", im.at)
		return
	case n.forEach != nil && im.key == nil:
		l.fail(to.Expr.Range(), "Invalid import", "With for_each every import needs an address of its own: to = %s[each.key].", im.at)
		return
	}
	l.declare(n)
}

// checkImports makes sure that what is imported is declared.
func (l *loader) checkImports() {
	for _, n := range l.root.nodes {
		if n.imports == nil {
			continue
		}
		im := n.imports
		to := l.find(im.at.Block)
		switch {
		case to == nil && l.root.partial:
		case l.at(im.at.Module) == nil:
			l.fail(im.to.Range(), "Undeclared reference", "%s is to be imported, and there is no such module.", im.at)
		case to == nil || to.block == nil:
			l.fail(im.to.Range(), "Undeclared reference", "%s is to be imported and is not declared. Declare resource %q %q { … } with what it shall be.", im.at, im.at.Kind, im.at.Name)
		case to.block.keyed() && im.at.Key == "" && im.key == nil && to.block.Kind.Set == nil:
			l.fail(im.to.Range(), "Missing instance key", "%s has several instances. Say which one: %s[KEY].", im.at, im.at)
		case !to.block.keyed() && (im.at.Key != "" || im.key != nil) && to.block.Kind.Set == nil:
			l.fail(im.to.Range(), "Unexpected instance key", "%s has neither for_each nor count, so it is one object and takes no key.", to.name)
		}
	}
}

// importing evaluates an import block.
func (e *Eval) importing(n *node, f *frame, st *state) {
	r := &report{}
	d := decoder{eval: e, node: n, frame: f, state: st, report: r, ctx: e.scope(n, f)}
	items, closed := d.expand(n.repeat)
	if closed != nil {
		r.fail(n.forEach.Range(), "Not known in time", "The keys are known only after something else is done; an import names things that are there. Use keys that are known from the start.")
	}
	for _, i := range items {
		ctx := i.scope(d.ctx)
		to := n.imports.at
		if n.imports.key != nil {
			key, ok := d.word(n.imports.key, ctx, "The key of to")
			if !ok {
				continue
			}
			to.Key = printedKey(key)
		}
		if id, ok := d.word(n.imports.id, ctx, "id"); ok {
			id, _ = convert.Convert(id, cty.String) // of a text or a number
			st.imports = append(st.imports, Import{To: to, ID: id.AsString(), Decl: n.decl})
		}
	}
	st.diags = r.diags
}

// importedTwice finds objects that two imports speak of.
func importedTwice(all []Import) hcl.Diagnostics {
	r := &report{}
	seen := map[addr.Instance]hcl.Range{}
	for _, im := range all {
		if first, twice := seen[im.To]; twice {
			r.fail(im.Decl, "Duplicate declaration", "What %s is imported from is already told at %s. Remove one of the two.", im.To, place(first))
		} else {
			seen[im.To] = im.Decl
		}
	}
	return r.diags
}

// word evaluates what has to be a known text or number and no secret.
func (d *decoder) word(e hcl.Expression, ctx *hcl.EvalContext, what string) (cty.Value, bool) {
	v, diags := e.Value(ctx)
	d.add(diags)
	if diags.HasErrors() {
		return v, false
	}
	secret := schema.IsSecret(v)
	v, _ = strip(v, &pile{})
	v, _ = v.Unmark()
	switch t := v.Type(); {
	case secret:
		d.fail(e.Range(), "Unsuitable secret", "%s is printed in plans, so it cannot come from a secret.", what)
	case !v.IsKnown():
		d.fail(e.Range(), "Not known in time", "%s is known only after something else is done, and is needed before. Use what is known from the start.", what)
	case v.IsNull() || t != cty.String && t != cty.Number:
		d.fail(e.Range(), "Invalid value", "%s takes a text or a number.", what)
	default:
		return v, true
	}
	return v, false
}
