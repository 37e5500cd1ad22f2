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
	steps []addressStep // the parts of to
	at    addr.Instance // to without computed keys
}

// addressStep is a part of an address: text, or a computed key.
type addressStep struct {
	text string
	key  hcl.Expression
}

// splitAddress splits an address at its computed keys. It returns nil if e is not an
// address.
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

// keys returns the expressions of the computed keys.
func (im *importBlock) keys() (list []hcl.Expression) {
	for _, s := range im.steps {
		if s.key != nil {
			list = append(list, s.key)
		}
	}
	return list
}

// hasOwnKey reports whether the object's own key is computed, and not only that of a
// module.
func (im *importBlock) hasOwnKey() bool {
	return len(im.steps) > 0 && im.steps[len(im.steps)-1].key != nil
}

// format returns the address as text. key returns the text for a computed key.
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

// loadImport reads an import block. With for_each, keys in its address can be computed
// from each.key or each.value.
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
	n := &node{name: "import " + FormatRange(b.DefRange), decl: b.DefRange, imports: im}
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
			"The keys of for_each are not known until apply, but hew imports objects during planning. Use keys that "+
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
		id, _ = convert.Convert(id, cty.String) // it is a string or a number
		if strings.Trim(id.AsString(), "/ ") == "" {
			r.fail(n.imports.id.Range(), "Invalid value",
				"id must not be empty. Write a number, a path, or OWNER:KEY for an object without a path.")
			continue
		}
		if a := e.cfg.kinds.AliasOf(to.Kind); a != nil && a.Kind.Holds == schema.One && a.Kind.Owner() == nil {
			continue // the host has exactly one, which is matched without an ID
		}
		st.imports = append(st.imports,
			Import{To: to, ID: foreign.ImportID(e.cfg.kinds.AliasOf(to.Kind), id.AsString()), DeclRange: n.decl})
	}
	st.diags = r.diags
}

// importAddress returns the address of an import with its computed keys.
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

// checkDuplicateImports reports objects that have two import blocks.
func checkDuplicateImports(all []Import) hcl.Diagnostics {
	r := &report{}
	seen := map[addr.Instance]hcl.Range{}
	for _, im := range all {
		if first, twice := seen[im.To]; twice {
			r.fail(im.DeclRange, "Duplicate declaration",
				"%s is already imported at %s. Remove one of the two blocks.", im.To, FormatRange(first))
		} else {
			seen[im.To] = im.DeclRange
		}
	}
	return r.diags
}

// evalScalar evaluates an expression that must be a known string or number, and no secret.
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
