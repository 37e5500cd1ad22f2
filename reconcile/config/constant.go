package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"

	"hew/schema"
)

// decodeConstant decodes an attribute that has to be known before anything is read
// into a Go value: it may use variables and functions, nothing else. A missing
// attribute or a null leaves into as it is.
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

// checkConstantReferences makes sure that an expression refers to declared variables
// alone.
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

// decodeValue converts v to the type of *into. What is null or unknown leaves it as it
// is.
func (r *report) decodeValue(a *hcl.Attribute, v cty.Value, into any) {
	switch {
	case schema.IsSecret(v):
		r.fail(a.Expr.Range(), "Sensitive value not allowed",
			"%s is shown in output, so it must not be sensitive. If it is not a secret, use nonsensitive().", a.Name)
		return
	case v.IsNull() || !v.IsWhollyKnown(): // a variable whose value is not at hand
		return
	}
	v, _ = v.UnmarkDeep() // of where it comes from
	t, err := gocty.ImpliedType(into)
	if err != nil {
		panic(err) // the types stand in this package
	}
	out, err := convert.Convert(v, t)
	if err == nil {
		err = gocty.FromCtyValue(out, into)
	}
	if err == nil {
		return
	}
	if out.Type() == cty.Number && out.IsKnown() { // converted, and of no use
		r.fail(a.Expr.Range(), "Invalid value", "%s must be a whole number.", a.Name)
	} else {
		r.fail(a.Expr.Range(), "Invalid value", "%s %s.", a.Name, typeError(v.Type(), t, err))
	}
}
