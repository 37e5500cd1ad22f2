package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"

	"hew/schema"
)

// decodeConstant decodes an argument that is needed before evaluation into a Go value. The
// argument can use only variables and functions. If it is missing or null, into keeps its
// value.
func (l *loader) decodeConstant(a *hcl.Attribute, into any) {
	if a == nil {
		return
	}
	if l.mod.parent != nil && len(a.Expr.Variables()) > 0 {
		l.fail(a.Expr.Range(), "Invalid reference",
			"%s is read before evaluation, so it cannot use the variables of a module. Write a literal value.", a.Name)
		return
	}
	if !l.checkConstantReferences(a) {
		return
	}
	v, diags := a.Expr.Value(l.mod.base)
	if diags.HasErrors() {
		l.add(diags)
		return
	}
	l.decodeValue(a, v, into)
}

// checkConstantReferences checks that an expression refers only to declared variables, and
// reports whether it does.
func (l *loader) checkConstantReferences(a *hcl.Attribute) bool {
	before := l.errors()
	for _, t := range a.Expr.Variables() {
		name, ok := attrStep(t, 1)
		switch root := t.RootName(); {
		case root == "path":
		case root != "var" || !ok:
			l.fail(t.SourceRange(), "Invalid reference",
				"%s is read before evaluation, so it can use only variables and functions, not %s.", a.Name,
				formatTraversal(t))
		case l.mod.parent == nil && l.mod.base.Variables["var"] == cty.NilVal:
			l.fail(t.SourceRange(), "Invalid reference",
				"%s of a variable is read before variables have values. Write a literal value.", a.Name)
		default:
			l.findVariable(l.mod, name, t.SourceRange())
		}
	}
	return l.errors() == before
}

// decodeValue converts v to the type of *into. If v is null or unknown, *into keeps its
// value.
func (r *report) decodeValue(a *hcl.Attribute, v cty.Value, into any) {
	switch {
	case schema.IsSecret(v):
		r.fail(a.Expr.Range(), "Sensitive value not allowed",
			"%s is shown in output, so it must not be sensitive. If it is not a secret, use nonsensitive().", a.Name)
		return
	case v.IsNull() || !v.IsWhollyKnown(): // the variable's value is not known yet
		return
	}
	v, _ = v.UnmarkDeep() // marks of origin
	t, err := gocty.ImpliedType(into)
	if err != nil {
		panic(err) // into is of this package
	}
	out, err := convert.Convert(v, t)
	if err == nil {
		err = gocty.FromCtyValue(out, into)
	}
	if err == nil {
		return
	}
	if out.Type() == cty.Number && out.IsKnown() { // not a whole number
		r.fail(a.Expr.Range(), "Invalid value", "%s must be a whole number.", a.Name)
	} else {
		r.fail(a.Expr.Range(), "Invalid value", "%s %s.", a.Name, typeError(v.Type(), t, err))
	}
}
