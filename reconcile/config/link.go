package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
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
			l.fail(item.Range(), "Invalid reference",
				"depends_on must list blocks and modules, such as [group.acme, module.team].")
			continue
		}
		n.wait = append(n.wait, t)
	}
}

// items reads a list that is needed before anything is evaluated.
func (l *loader) items(name string, e hcl.Expression) []hcl.Expression {
	items, diags := hcl.ExprList(e)
	if diags.HasErrors() {
		l.fail(e.Range(), "Invalid expression", "%s must be a literal list, such as [A, B].", name)
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
