package config

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/function"
)

// link resolves what every node refers to, and checks each reference as far
// as names go.
func (l *loader) link() {
	l.checkImports()
	for m := range l.root.all {
		for _, n := range m.nodes {
			l.linkNode(n)
		}
	}
	for m := range l.root.all {
		for _, n := range m.nodes {
			for _, r := range slices.Concat(n.refs, n.after) {
				r.to.users = append(r.to.users, n)
			}
		}
	}
}

func (l *loader) linkNode(n *node) {
	s := scan{Config: l.Config, report: &l.report, node: n, picks: map[hcl.Range]pick{}}
	before := s.trouble()
	keys := n.repeat
	s.unsure = n.misspelt
	s.each, s.count = keys.forEach != nil, keys.count != nil
	switch {
	case n.block != nil:
		keys = n.block.repeat
		s.each, s.count = keys.forEach != nil, keys.count != nil
		s.written()
	case n.variable != nil && n.rule == nil:
		s.each, s.count = n.mod.call.forEach != nil, n.mod.call.count != nil
		s.unsure = n.mod.call.misspelt
	case n.rule != nil:
		s.self = n.rule.of
		n.rule.conds = s.conditions(n.rule.conds)
		before = s.trouble() // what is left can be worked out
	}
	s.exprs(n.exprs)
	s.each, s.count, s.self, s.instances = false, false, nil, true // keys cannot depend on themselves
	unkeyed := s.trouble()
	for _, e := range []hcl.Expression{keys.forEach, keys.count} {
		if e != nil {
			s.expr(e)
		}
	}
	n.broken = n.broken || s.trouble() > unkeyed || n.block == nil && s.trouble() > before
	s.instances = false
	for _, t := range n.wait {
		if r, ok := s.waited(t); ok {
			n.after = append(n.after, r)
		}
	}
	n.faulty = n.faulty || s.trouble() > before
}

func (l *loader) dependsOn(n *node, a *hcl.Attribute) {
	if a == nil {
		return
	}
	for _, item := range l.items(a.Name, a.Expr) {
		t, diags := hcl.AbsTraversalForExpr(item)
		if diags.HasErrors() {
			l.fail(item.Range(), "Invalid reference", "depends_on lists blocks and modules, as in [group.acme, module.team].")
			continue
		}
		n.wait = append(n.wait, t)
	}
}

// items reads a list that is needed before anything is evaluated.
func (l *loader) items(name string, e hcl.Expression) []hcl.Expression {
	items, diags := hcl.ExprList(e)
	if diags.HasErrors() {
		l.fail(e.Range(), "Invalid list", "%s takes a list as it stands, [A, B], that nothing has to be worked out for.", name)
	}
	return items
}

// scan reads the expressions of one node.
type scan struct {
	*Config
	*report
	node        *node
	each, count bool        // whether each and count mean something here
	self        *node       // the block whose instances self is
	instances   bool        // reading for_each or count
	keys        []hcl.Range // that lack quotes, and are no references
	picks       map[hcl.Range]pick
	unsure      bool // whether they do is not known
	gone        int  // references to what is in error itself, of which nothing is said
}

// trouble counts what keeps expressions from being worked out.
func (s *scan) trouble() int { return s.errors() + s.gone }

// written reads what a block says. An argument that refers to what is not there
// is left out when the others are evaluated.
func (s *scan) written() {
	b := s.node.block
	for i := range b.attrs {
		w := &b.attrs[i]
		before := s.trouble()
		if w.attr.Ref != "" {
			s.pick(w.expr, "id") // the resource itself stands for its id
			for _, item := range elements(w.expr) {
				s.pick(item, "id")
			}
		}
		s.expr(w.expr)
		w.broken = w.broken || s.trouble() > before
	}
	b.before = s.conditions(b.before)
	s.triggers(b)
}

func (s *scan) exprs(list []hcl.Expression) {
	for _, e := range list {
		s.expr(e)
	}
}

// conditions returns those that can be worked out.
func (s *scan) conditions(list []condition) (sound []condition) {
	for _, c := range list {
		before := s.trouble()
		s.expr(c.expr)
		s.expr(c.message)
		if s.trouble() == before {
			sound = append(sound, c)
		}
	}
	return sound
}

func (s *scan) expr(e hcl.Expression) {
	if isLiteral(e) {
		return
	}
	s.walk(e)
	for _, t := range e.Variables() {
		if !slices.ContainsFunc(s.keys, func(k hcl.Range) bool { return k.Overlaps(t.SourceRange()) }) {
			s.traversal(t)
		}
	}
}

// walk checks the syntax of an expression; of JSON that of the texts in it, which
// are templates.
func (s *scan) walk(e hcl.Expression) {
	if n, ok := e.(hclsyntax.Node); ok {
		_ = hclsyntax.VisitAll(n, func(n hclsyntax.Node) hcl.Diagnostics { s.syntax(n); return nil })
		return
	}
	if items, diags := hcl.ExprList(e); !diags.HasErrors() {
		for _, item := range items {
			s.walk(item)
		}
		return
	}
	if pairs, diags := hcl.ExprMap(e); !diags.HasErrors() {
		s.twice(pairs)
		for _, pair := range pairs {
			s.walk(pair.Key)
			s.walk(pair.Value)
		}
		return
	}
	if t, ok := template(e); ok {
		before := len(s.masks)
		if s.walk(t); len(s.masks) > before { // escapes move what is in a text
			s.masks = append(s.masks[:before], e.Range())
		}
	}
}

// isLiteral tells of the commonest expressions that there is nothing in them
// to find.
func isLiteral(e hcl.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.TemplateExpr:
		return e.IsStringLiteral()
	}
	return false
}

// syntax checks what HCL itself lets pass or explains badly.
func (s *scan) syntax(n hclsyntax.Node) {
	switch n := n.(type) {
	case *hclsyntax.ObjectConsKeyExpr:
		switch key := n.Wrapped.(type) {
		case *hclsyntax.BinaryOpExpr:
			if !n.ForceNonLiteral {
				s.keys = append(s.keys, n.Range())
				s.fail(n.Range(), "Unquoted key", "Quote keys that hold a slash or another sign: %s.", s.quoted(n))
			}
		case *hclsyntax.ScopeTraversalExpr:
			if !n.ForceNonLiteral && len(key.Traversal) > 1 {
				s.keys = append(s.keys, n.Range())
				s.fail(n.Range(), "Unquoted key", "Quote keys that hold a dot: %s. If the value of this reference is meant as the key, put it into parentheses.", s.quoted(n))
			}
		}
	case *hclsyntax.RelativeTraversalExpr:
		if name, ok := attrStep(n.Traversal, 0); ok {
			s.pick(n.Source, name)
		}
	case *hclsyntax.BinaryOpExpr:
		by, ok := n.RHS.(*hclsyntax.LiteralValueExpr)
		if ok && (n.Op == hclsyntax.OpDivide || n.Op == hclsyntax.OpModulo) && by.Val.RawEquals(cty.Zero) {
			s.fail(n.Range(), "Division by zero", "Nothing can be divided by zero.")
		}
	case *hclsyntax.SplatExpr:
		s.splat(n)
	case *hclsyntax.ObjectConsExpr:
		if pairs, diags := hcl.ExprMap(n); !diags.HasErrors() {
			s.twice(pairs)
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

func (s *scan) quoted(n hclsyntax.Node) string {
	src := s.files[n.Range().Filename]
	if !n.Range().CanSliceBytes(src) { // an expression typed by somebody
		return `"…"`
	}
	return fmt.Sprintf("%q", n.Range().SliceBytes(src))
}
