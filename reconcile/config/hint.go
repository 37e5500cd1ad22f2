package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/schema"
)

// appendSentence appends a sentence to a text.
func appendSentence(detail, more string) string {
	if more == "" {
		return detail
	}
	return endSentence(detail) + " " + more
}

// suggestAttribute returns the attributes or keys that a value has, for HCL's errors about
// one that it does not have.
func suggestAttribute(d *hcl.Diagnostic) string {
	if d.Expression == nil || d.EvalContext == nil ||
		d.Summary != "Invalid index" && !strings.Contains(d.Detail, "does not have an attribute named") {
		return ""
	}
	if index, ok := d.Expression.(*hclsyntax.IndexExpr); ok {
		return suggestIndex(index, d.EvalContext)
	}
	for _, t := range d.Expression.Variables() {
		for n := len(t) - 1; n > 0; n-- {
			v, diags := t[:n].TraverseAbs(d.EvalContext)
			if diags.HasErrors() {
				continue
			}
			names, ok := keysOf(v)
			name := strconv.Quote(stepName(t[n]))
			if !ok || slices.Contains(names, name) {
				break
			}
			return strings.TrimSpace(suggestOrList(name, names))
		}
	}
	return ""
}

// suggestIndex returns the key that an index expression evaluates to, in which instance,
// and which keys there are.
func suggestIndex(e *hclsyntax.IndexExpr, ctx *hcl.EvalContext) string {
	of, _ := e.Collection.Value(ctx)
	key, _ := e.Key.Value(ctx)
	if schema.IsSecret(key) || !key.IsWhollyKnown() || key.IsNull() || !key.Type().IsPrimitiveType() {
		return ""
	}
	key, err := convert.Convert(key, cty.String)
	if err != nil {
		return ""
	}
	key, _ = key.Unmark()
	name := strconv.Quote(key.AsString())
	said := "The key is " + name
	if each, diags := eachKey.TraverseAbs(ctx); !diags.HasErrors() && each.IsKnown() {
		if each, _ = each.Unmark(); each.AsString() != key.AsString() {
			said += fmt.Sprintf(", where each.key is %q", each.AsString())
		}
	}
	if names, ok := keysOf(of); ok {
		return said + "." + suggestOrList(name, names)
	}
	return said + "." + untypedHint(e.Collection, of)
}

// untypedHint says why a variable that is indexed is a string, as a sentence to append.
func untypedHint(e hclsyntax.Expression, v cty.Value) string {
	t, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || t.Traversal.RootName() != "var" || len(t.Traversal) != 2 || v.Type() != cty.String {
		return ""
	}
	return fmt.Sprintf(" var.%s is a string: values of -var and of the environment are strings unless the variable "+
		"block sets a type, such as type = list(string).", stepName(t.Traversal[1]))
}

var eachKey = hcl.Traversal{hcl.TraverseRoot{Name: "each"}, hcl.TraverseAttr{Name: "key"}}

// keysOf returns the quoted keys of a value; ok is false if the value has none or is
// secret.
func keysOf(v cty.Value) (names []string, ok bool) {
	secret := schema.IsSecret(v)
	v, _ = v.Unmark()
	if secret || !v.IsKnown() || v.IsNull() || !(v.Type().IsObjectType() || v.Type().IsMapType()) {
		return nil, false
	}
	for key := range v.Elements() {
		names = append(names, strconv.Quote(key.AsString()))
	}
	return names, true
}
