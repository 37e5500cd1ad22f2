package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// link resolves the references of every node, and checks the names in them.
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
	l.findOwnerReferences()
}

func (l *loader) linkNode(n *node) {
	s := scanner{Config: l.Config, report: &l.report, node: n, selections: map[hcl.Range]selection{}}
	before := s.problems()
	keys := n.repeat
	s.unknownRepeat = n.misspelt
	s.each, s.count = keys.forEach != nil, keys.count != nil
	switch {
	case n.block != nil:
		keys = n.block.repeat
		s.each, s.count = keys.forEach != nil, keys.count != nil
		s.scanBlock()
		if when := keys.when; when != nil {
			unkeyed := s.problems()
			s.scanExpr(when.ForEach)
			n.broken = n.broken || s.problems() > unkeyed
		}
	case n.variable != nil && n.rule == nil:
		s.each, s.count = n.mod.call.forEach != nil, n.mod.call.count != nil
		s.unknownRepeat = n.mod.call.misspelt
	case n.rule != nil:
		s.self = n.rule.of
		n.rule.conditions = s.scanConditions(n.rule.conditions)
		before = s.problems() // the conditions that remain can be evaluated
	}
	s.scanExprs(n.exprs)
	s.each, s.count, s.self, s.inRepeat = false, false, nil, true // for_each and count cannot refer to themselves
	unkeyed := s.problems()
	for _, e := range []hcl.Expression{keys.forEach, keys.count} {
		if e != nil {
			s.scanExpr(e)
		}
	}
	n.broken = n.broken || s.problems() > unkeyed || n.block == nil && s.problems() > before
	s.inRepeat = false
	for _, t := range n.dependsOn {
		if r, ok := s.resolveDependsOn(t); ok {
			n.after = append(n.after, r)
		}
	}
	n.faulty = n.faulty || s.problems() > before
}

func (l *loader) dependsOn(n *node, a *hcl.Attribute) {
	if a == nil {
		return
	}
	for _, item := range l.literalList(a.Name, a.Expr) {
		t, diags := hcl.AbsTraversalForExpr(item)
		if diags.HasErrors() {
			l.fail(item.Range(), "Invalid reference",
				"depends_on must list blocks and modules, such as [group.acme, module.team].")
			continue
		}
		n.dependsOn = append(n.dependsOn, t)
	}
}

// literalList reads a list that is needed before evaluation.
func (l *loader) literalList(name string, e hcl.Expression) []hcl.Expression {
	items, diags := hcl.ExprList(e)
	if diags.HasErrors() {
		l.fail(e.Range(), "Invalid expression", "%s must be a literal list, such as [A, B].", name)
	}
	return items
}

// scanner finds and checks the references in the expressions of one node.
type scanner struct {
	*Config
	*report
	node          *node
	each, count   bool        // whether each and count are available
	self          *node       // the block that self is an instance of
	inRepeat      bool        // scanning for_each or count
	unquotedKeys  []hcl.Range // keys without quotes that are not references
	selections    map[hcl.Range]selection
	unknownRepeat bool // for_each or count is misspelt
	unreported    int  // references to something that is in error itself
}

// problems counts the reasons why expressions cannot be evaluated.
func (s *scanner) problems() int { return s.errors() + s.unreported }

// scanBlock scans a block. Arguments with errors are marked as broken, so that the others
// can be evaluated.
func (s *scanner) scanBlock() {
	b := s.node.block
	for i := range b.args {
		w := &b.args[i]
		before := s.problems()
		if w.attr.RefKind() != "" {
			s.selectAttribute(w.expr, "id") // a resource stands for its ID
			for _, item := range tupleElements(w.expr) {
				s.selectAttribute(item, "id")
			}
		}
		s.scanExpr(w.expr)
		for _, other := range w.others {
			s.scanExpr(other.expr)
		}
		if w.fallback != nil {
			s.scanExpr(w.fallback)
		}
		w.broken = w.broken || s.problems() > before
	}
	for _, r := range b.ignored {
		s.scanExpr(r.Expr)
	}
	b.preconditions = s.scanConditions(b.preconditions)
	s.scanTriggers(b)
}

func (s *scanner) scanExprs(list []hcl.Expression) {
	for _, e := range list {
		s.scanExpr(e)
	}
}

// scanConditions scans conditions, and returns those that can be evaluated.
func (s *scanner) scanConditions(list []condition) (sound []condition) {
	for _, c := range list {
		before := s.problems()
		s.scanExpr(c.expr)
		s.scanExpr(c.message)
		if s.problems() == before {
			sound = append(sound, c)
		}
	}
	return sound
}
