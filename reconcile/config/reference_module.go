package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"hew/reconcile/didyoumean"
)

// scanVariable checks a reference to a variable. In a module it leads to a node with the
// caller's expression.
func (s *scanner) scanVariable(name string, at hcl.Range) {
	m := s.node.scope
	switch v := s.findVariable(m, name, at); {
	case v == nil:
		s.unreported++
	case m.parent != nil:
		s.addRef(ref{to: v.node, at: at, keys: s.inRepeat})
	}
}

// findVariable returns the module's variable of that name, or nil after reporting an
// error.
func (r *report) findVariable(m *module, name string, at hcl.Range) *variable {
	i := slices.IndexFunc(m.variables, func(v *variable) bool { return v.name == name })
	if i >= 0 {
		return m.variables[i]
	}
	if !m.mayDeclare("variable." + name) {
		r.fail(at, "Reference to undeclared variable",
			"The variable %q is not declared in %s.%s To declare it, add variable %q { … }.",
			name, m, didyoumean.Hint(name, m.variableNames()), name)
	}
	return nil
}

// scanSelf checks a reference to self.
func (s *scanner) scanSelf(t hcl.Traversal) {
	if s.self == nil {
		s.fail(t.SourceRange(), "Invalid reference", "self is available only in postconditions.")
		return
	}
	b := s.self.block
	name, ok := attrStep(t, 1)
	switch {
	case !ok:
		b.recordMention(b.names()...)
	case !b.has(name):
		s.fail(t.SourceRange(), "Unsupported attribute", "%s", b.noAttribute(name))
	default:
		b.recordMention(name)
	}
	s.addRef(ref{to: s.self, at: t.SourceRange()})
}

// scanModule checks a reference to a module's output, and adds references to the call,
// which has the keys, and to the output.
func (s *scanner) scanModule(t hcl.Traversal) {
	at := t.SourceRange()
	name, ok := attrStep(t, 1)
	if !ok {
		s.fail(at, "Invalid reference", "Name the module and one of its outputs: module.NAME.OUTPUT.")
		return
	}
	call := s.findCall("module."+name, at)
	if call == nil {
		return
	}
	s.addRef(ref{to: call, at: at, keys: s.inRepeat})
	if call.calls == nil || call.misspelt {
		s.unreported++ // its directory cannot be read
		return
	}
	rest := t[2:]
	out, isAttr := attrStep(rest, 0)
	switch {
	case call.keyed() && isAttr && call.calls.output(out) != nil:
		s.fail(at, "Missing instance key",
			"module.%s has several instances. Select one with a key: module.%s[KEY].%s.", name, name, out)
		return
	case call.keyed() && len(rest) > 0:
		out, isAttr = attrStep(rest, 1)
	case !call.keyed() && len(rest) > 0 && !isAttr:
		s.fail(at, "Unexpected instance key",
			"module.%s has neither for_each nor count, so its address has no key. Remove the key.", name)
		return
	}
	if pick, ok := s.selections[at]; !isAttr && ok {
		out, isAttr = pick.name, true
	}
	if !isAttr { // all outputs
		for _, o := range call.calls.outputs {
			s.addRef(ref{to: o, at: at, keys: s.inRepeat})
		}
		return
	}
	o := call.calls.output(out)
	switch {
	case o != nil:
		s.addRef(ref{to: o, at: at, keys: s.inRepeat})
	case call.calls.mayDeclare("output." + out):
		s.unreported++
	default:
		s.fail(at, "Unsupported attribute",
			"module.%s has no output %q.%s To declare it, add to %s: output %q { value = … }.", name, out,
			didyoumean.Hint(out, call.calls.outputNames()), call.calls.dir, out)
	}
}

// findCall returns the module block of that name, or nil after reporting an error.
func (s *scanner) findCall(name string, at hcl.Range) *node {
	m := s.node.scope
	n := m.names[name]
	switch {
	case n != nil:
	case m.mayDeclare(name):
		s.unreported++
	default:
		s.fail(at, "Reference to undeclared object", "%s is not declared in %s.%s", name, s.node.scope,
			didyoumean.Hint(name, m.namesWithPrefix("module.")))
	}
	return n
}

// checkSplat reports [*] on something that is a map because of for_each.
func (s *scanner) checkSplat(e *hclsyntax.SplatExpr) {
	of, ok := e.Source.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(of.Traversal) < 2 {
		return
	}
	n := s.node.scope.names[formatTraversal(of.Traversal)]
	if n != nil && (n.forEach != nil || n.block != nil && n.block.forEach != nil) {
		s.fail(e.MarkerRange, "Invalid splat expression",
			"%s has for_each, so it is a map, and [*] works only on lists. Write values(%s)[*].", n.name, n.name)
	}
}

func (m *module) output(name string) *node {
	i := slices.IndexFunc(m.outputs, func(n *node) bool { return n.label == name })
	if i < 0 {
		return nil
	}
	return m.outputs[i]
}

func (m *module) outputNames() (names []string) {
	for _, n := range m.outputs {
		names = append(names, n.label)
	}
	return names
}

// addRef adds a reference, unless the node has it already.
func (s *scanner) addRef(r ref) {
	for i := range s.node.refs {
		if have := &s.node.refs[i]; have.to == r.to && have.key == r.key {
			have.keys = have.keys && r.keys
			return
		}
	}
	s.node.refs = append(s.node.refs, r)
}

// resolveDependsOn resolves a target of depends_on: a block, an instance of one, or a
// module.
func (s *scanner) resolveDependsOn(t hcl.Traversal) (ref, bool) {
	b := t.RootName()
	if s.node.scope.unmanaged[blockName(t)] != "" {
		return ref{}, false // hew does nothing to wait for
	}
	if b != "module" && b != "data" && s.kinds.Resource(b) == nil {
		s.fail(t.SourceRange(), "Invalid reference",
			"depends_on must list blocks and modules, such as [group.acme, module.team].")
		return ref{}, false
	}
	if b != "module" {
		r, ok := s.resolveName(t)
		return r, ok && s.checkSteps(r, t)
	}
	name, ok := attrStep(t, 1)
	if !ok || len(t) > 2 {
		s.fail(t.SourceRange(), "Invalid reference", "depends_on must name a module as a whole: module.NAME.")
		return ref{}, false
	}
	n := s.findCall("module."+name, t.SourceRange())
	return ref{to: n, at: t.SourceRange()}, n != nil
}
