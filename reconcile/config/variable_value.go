package config

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/didyoumean"
	"hew/schema"
)

// givenValue is a value for a variable, and where it comes from.
type givenValue struct {
	value cty.Value
	at    hcl.Range
	from  string
}

// resolveVariables returns the object that var stands for.
func (l *loader) resolveVariables(vars Vars, files []*hcl.File) cty.Value {
	set, meant := map[string]givenValue{}, map[string]bool{}
	if vars.Env != nil {
		for _, v := range l.mod.variables {
			for _, prefix := range []string{"TF_VAR_", "HEW_VAR_"} {
				if text, ok := vars.Env(prefix + v.name); ok {
					set[v.name] = l.parseText(v, text, prefix+v.name)
				}
			}
		}
	}
	for _, f := range files {
		l.readVarFile(set, f, f.Body.MissingItemRange().Filename)
	}
	for _, arg := range vars.Args {
		if arg.File != "" {
			f, diags := parse(arg.Content, arg.File)
			l.add(diags)
			l.keepVariables(arg.File, f, diags.HasErrors())
			l.readVarFile(set, f, arg.File)
			continue
		}
		i := slices.IndexFunc(l.mod.variables, func(v *variable) bool { return v.name == arg.Name })
		if i < 0 {
			meant[didyoumean.Nearest(arg.Name, l.mod.variableNames())] = true
			l.add(hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Value for undeclared variable",
				Detail: fmt.Sprintf("-var sets %q, which the configuration does not declare.%s", arg.Name,
					didyoumean.Hint(arg.Name, l.mod.variableNames()))}})
			continue
		}
		from := "-var " + arg.Name
		if arg.Prompted {
			from = asTyped
		}
		set[arg.Name] = l.parseText(l.mod.variables[i], arg.Value, from)
	}
	out := map[string]cty.Value{}
	for _, v := range l.mod.variables {
		g, ok := set[v.name]
		if (vars.Partial || meant[v.name]) && !ok && v.fallback == cty.NilVal {
			g = givenValue{cty.UnknownVal(v.typ.WithoutOptionalAttributesDeep()), v.decl, "nowhere yet"}
		}
		if g.from != "" {
			v.at = g.at
		}
		out[v.name] = l.variableValue(v, g)
	}
	return cty.ObjectVal(out)
}

// asTyped is the source of a value that a person was asked for.
const asTyped = "as typed"

// parseText returns the value of a flag or environment variable: the text itself for
// simple types, an expression for others.
func (l *loader) parseText(v *variable, text, from string) givenValue {
	g := givenValue{value: cty.StringVal(text), at: v.decl, from: from}
	if v.typ.IsPrimitiveType() || v.typ == cty.DynamicPseudoType {
		return g
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), from, hcl.InitialPos)
	if !diags.HasErrors() {
		g.value, diags = expr.Value(nil)
	}
	if diags.HasErrors() {
		subject := from
		if from == asTyped {
			subject = "The value entered for var." + v.name
		}
		// HCL's own error could show a secret in the text
		l.fail(v.decl, "Invalid value for variable",
			"%s must be %s, written as in a configuration file: [\"a\", \"b\"] or { key = \"value\" }.",
			subject, typeName(v.typ))
		g.value = cty.UnknownVal(v.typ.WithoutOptionalAttributesDeep())
	}
	return g
}

func (l *loader) readVarFile(set map[string]givenValue, f *hcl.File, name string) {
	attrs := l.readAttributes(f.Body, "A variables file")
	for _, a := range sortAttributes(attrs) {
		i := slices.IndexFunc(l.mod.variables, func(v *variable) bool { return v.name == a.Name })
		if i < 0 {
			l.mask(a.Expr) // the variable that was meant may be sensitive
			l.add(
				hcl.Diagnostics{
					{Severity: hcl.DiagWarning, Summary: "Value for undeclared variable", Subject: &a.NameRange,
						Detail: fmt.Sprintf(
							"The configuration does not declare a variable %q, so this value has no effect.%s", a.Name,
							didyoumean.Hint(a.Name, l.mod.variableNames()))},
				},
			)
			continue
		}
		if l.mod.variables[i].sensitive {
			l.mask(a.Expr)
		}
		v, diags := a.Expr.Value(nil)
		l.add(explainLiteral(diags, "A value in a variables file"))
		if diags.HasErrors() {
			v = cty.DynamicVal
		} else {
			l.checkLiteral(a.Expr, nil, nil)
		}
		set[a.Name] = givenValue{value: v, at: a.Expr.Range(), from: name}
	}
}

// variableValue returns the value of var.NAME, converted, checked and marked.
func (l *loader) variableValue(v *variable, g givenValue) cty.Value {
	if g.from == "" && v.fallback == cty.NilVal {
		l.unset = append(l.unset, Variable{v.name, v.doc, v.sensitive})
		l.fail(v.decl, "No value for required variable",
			"var.%s has no value and no default. Set it with -var %s=…, in hew.hclvars, or with the environment "+
				"variable HEW_VAR_%s.", v.name, v.name, v.name)
		return cty.UnknownVal(v.typ.WithoutOptionalAttributesDeep())
	}
	return l.convertVariable(v, g)
}

// convertVariable converts a value to the variable's type. Null becomes the default if the
// variable is not nullable, and a sensitive variable's value is marked.
func (r *report) convertVariable(v *variable, g givenValue) cty.Value {
	unknown := cty.UnknownVal(v.typ.WithoutOptionalAttributesDeep())
	out, at := v.fallback, v.decl
	if g.from != "" {
		at = g.at
		var err error
		if out, err = v.convert(g.value); err != nil {
			from := "from " + g.from
			if g.from == asTyped {
				from = asTyped
			}
			r.fail(at, "Invalid value for variable",
				"The value of var.%s (%s) is not valid: var.%s %s.",
				v.name, from, v.name, typeError(g.value.Type(), v.typ, err))
			return unknown
		}
		if out.IsNull() && !v.nullable && v.fallback != cty.NilVal {
			out = v.fallback
		}
	}
	if out.IsNull() && !v.nullable {
		r.fail(at, "Invalid value for variable",
			"var.%s must not be null: it is declared with nullable = false.", v.name)
		return unknown
	}
	if v.sensitive {
		out = out.Mark(schema.Secret)
	}
	return out
}
