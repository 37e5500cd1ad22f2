package config

import (
	"fmt"
	"hew/reconcile/function"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

func (s *scanner) scanExpr(e hcl.Expression) {
	if isLiteral(e) {
		return
	}
	s.walk(e)
	for _, t := range e.Variables() {
		if !slices.ContainsFunc(s.unquotedKeys, func(k hcl.Range) bool { return k.Overlaps(t.SourceRange()) }) {
			s.scanTraversal(t)
		}
	}
}

// walk checks the syntax of an expression, and of the templates in JSON.
func (s *scanner) walk(e hcl.Expression) {
	if n, ok := e.(hclsyntax.Node); ok {
		_ = hclsyntax.VisitAll(n, func(n hclsyntax.Node) hcl.Diagnostics { s.checkSyntax(n); return nil })
		return
	}
	if items, diags := hcl.ExprList(e); !diags.HasErrors() {
		for _, item := range items {
			s.walk(item)
		}
		return
	}
	if pairs, diags := hcl.ExprMap(e); !diags.HasErrors() {
		s.checkDuplicateKeys(pairs)
		for _, pair := range pairs {
			s.walk(pair.Key)
			s.walk(pair.Value)
		}
		return
	}
	if t, ok := parseTemplate(e); ok {
		before := len(s.masks)
		if s.walk(t); len(s.masks) > before { // positions in a string with escapes are not exact
			s.masks = append(s.masks[:before], e.Range())
		}
	}
}

// isLiteral reports whether an expression is a simple literal, which needs no scan.
func isLiteral(e hcl.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.TemplateExpr:
		return e.IsStringLiteral()
	}
	return false
}

// checkSyntax reports what HCL accepts silently or explains badly.
func (s *scanner) checkSyntax(n hclsyntax.Node) {
	switch n := n.(type) {
	case *hclsyntax.ObjectConsKeyExpr:
		switch key := n.Wrapped.(type) {
		case *hclsyntax.BinaryOpExpr:
			if !n.ForceNonLiteral {
				s.unquotedKeys = append(s.unquotedKeys, n.Range())
				s.fail(n.Range(), "Unquoted key", "Quote keys that contain special characters: %s.", s.quotedSource(n))
			}
		case *hclsyntax.ScopeTraversalExpr:
			if !n.ForceNonLiteral && len(key.Traversal) > 1 {
				s.unquotedKeys = append(s.unquotedKeys, n.Range())
				s.fail(n.Range(), "Unquoted key",
					"Quote keys that contain a dot: %s. To use the value of this reference as the key, put it in "+
						"parentheses.", s.quotedSource(n))
			}
		}
	case *hclsyntax.RelativeTraversalExpr:
		if name, ok := attrStep(n.Traversal, 0); ok {
			s.selectAttribute(n.Source, name)
		}
	case *hclsyntax.BinaryOpExpr:
		by, ok := n.RHS.(*hclsyntax.LiteralValueExpr)
		if ok && (n.Op == hclsyntax.OpDivide || n.Op == hclsyntax.OpModulo) && by.Val.RawEquals(cty.Zero) {
			s.fail(n.Range(), "Division by zero", "The divisor must not be zero.")
		}
	case *hclsyntax.SplatExpr:
		s.checkSplat(n)
	case *hclsyntax.ObjectConsExpr:
		if pairs, diags := hcl.ExprMap(n); !diags.HasErrors() {
			s.checkDuplicateKeys(pairs)
		}
	case *hclsyntax.FunctionCallExpr:
		if n.Name == "sensitive" {
			for _, arg := range n.Args {
				s.mask(arg)
			}
		}
		if d := function.Table(s.root.base.Functions).Check(n); d != nil {
			s.diags = append(s.diags, d)
		}
	}
}

func (s *scanner) quotedSource(n hclsyntax.Node) string {
	src := s.files[n.Range().Filename]
	if !n.Range().CanSliceBytes(src) { // not in a file
		return `"…"`
	}
	return fmt.Sprintf("%q", n.Range().SliceBytes(src))
}
