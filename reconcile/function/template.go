package function

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"hew/reconcile/didyoumean"
	"hew/reconcile/file"
)

// templateFuncs are the functions that evaluate templates. inner are the functions that
// templates can call.
func templateFuncs(dir file.Dir, inner Table) []entry {
	fromFile := func(name string) (string, string, error) {
		src, err := readText(dir, name)
		return src, name, err
	}
	given := func(src string) (string, string, error) { return src, "template", nil }
	return []entry{
		{
			"templatefile",
			templateFunc("path", fromFile, inner),
			"The text of a template file, with ${…} and %{…} evaluated with the given variables.",
		},
		{
			"templatestring",
			templateFunc("template", given, inner),
			"The template string, with ${…} and %{…} evaluated with the given variables. Write $${…} for a literal " +
				"${…}.",
		},
	}
}

// nestedTemplate replaces the template functions inside templates.
var nestedTemplate = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "args", Type: cty.DynamicPseudoType},
	Type: func([]cty.Value) (cty.Type, error) {
		return cty.NilType, errors.New(
			"a template cannot evaluate another template. Evaluate the other one first, and pass its text in as a " +
				"variable",
		)
	},
})

// templateFunc returns a function that evaluates a template. source returns the template
// and its name in errors.
func templateFunc(what string, source func(string) (src, name string, err error), inner Table) function.Function {
	render := func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		src, name, err := source(args[0].AsString())
		if err != nil {
			return cty.NilVal, err
		}
		bare, _ := args[1].Unmark()
		if t := bare.Type(); !t.IsObjectType() && !t.IsMapType() {
			return cty.NilVal, function.NewArgErrorf(1,
				"must be an object with the template's variables: { name = value }")
		}
		if d := CheckTemplateNesting([]byte(src), name); d != nil {
			return cty.NilVal, templateError{d}
		}
		expr, diags := hclsyntax.ParseTemplate([]byte(src), name, hcl.InitialPos)
		if !diags.HasErrors() {
			diags = findUndeclared(expr, bare, inner)
		}
		if diags.HasErrors() {
			return cty.NilVal, templateError(diags)
		}
		if !args[1].IsWhollyKnown() {
			return cty.DynamicVal, nil
		}
		v, diags := expr.Value(&hcl.EvalContext{Variables: bare.AsValueMap(), Functions: inner})
		switch {
		case diags.HasErrors():
			return cty.NilVal, templateError(diags)
		case v.IsNull():
			return cty.NilVal, fmt.Errorf("%s evaluates to null, not to a string", name)
		}
		return v.WithMarks(topMarks(args[1])), nil
	}
	return function.New(&function.Spec{
		Params: []function.Parameter{
			param(what, cty.String), {Name: "vars", Type: cty.DynamicPseudoType, AllowMarked: true, AllowUnknown: true},
		},
		Type: function.StaticReturnType(cty.DynamicPseudoType), Impl: render,
	})
}

// findUndeclared reports variables and functions of a template that do not exist.
func findUndeclared(expr hclsyntax.Expression, vars cty.Value, inner Table) (diags hcl.Diagnostics) {
	var names []string
	switch t := vars.Type(); {
	case t.IsObjectType():
		for name := range t.AttributeTypes() {
			names = append(names, name)
		}
	case !vars.IsKnown():
		return nil
	default:
		for name := range vars.AsValueMap() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, t := range expr.Variables() {
		if !slices.Contains(names, t.RootName()) {
			diags = append(
				diags,
				&hcl.Diagnostic{
					Severity: hcl.DiagError,
					Summary:  "Reference to undeclared variable",
					Subject:  t.SourceRange().Ptr(),
					Detail: fmt.Sprintf("The template uses %s, which is not one of its variables.%s", t.RootName(),
						didyoumean.Hint(t.RootName(), names)),
				},
			)
		}
	}
	_ = hclsyntax.VisitAll(expr, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok {
			if d := inner.Check(call); d != nil {
				diags = append(diags, d)
			}
		}
		return nil
	})
	return diags
}

// templateError holds the errors in a template.
type templateError hcl.Diagnostics

func (e templateError) Error() string {
	return e.list(func(d *hcl.Diagnostic) string { return d.Summary + ": " + d.Detail })
}

// redacted returns the error without details, which may contain values.
func (e templateError) redacted() error {
	return errors.New(e.list(func(d *hcl.Diagnostic) string { return d.Summary }) +
		" (the details are hidden, because a variable is sensitive)")
}

func (e templateError) list(say func(*hcl.Diagnostic) string) string {
	var lines []string
	for _, d := range e {
		lines = append(lines, fmt.Sprintf("%s: %s", d.Subject, say(d)))
	}
	return strings.TrimSuffix(strings.Join(lines, "\n"), ".")
}
