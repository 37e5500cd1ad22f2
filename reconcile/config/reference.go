package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config/foreign"
	"hew/reconcile/didyoumean"
)

// scanTraversal checks a reference, and adds it to the node if it leads to one.
func (s *scanner) scanTraversal(t hcl.Traversal) {
	at := t.SourceRange()
	switch root := t.RootName(); root {
	case "path":
	case "var":
		name, ok := attrStep(t, 1)
		if !ok {
			s.fail(at, "Invalid reference", "Name the variable: var.NAME.")
		} else {
			s.scanVariable(name, at)
		}
	case "each":
		if name, _ := attrStep(t, 1); s.unknownRepeat {
			s.unreported++
		} else if !s.each {
			s.fail(at, "Invalid reference",
				"each.key and each.value are available only in blocks with for_each, and not in for_each itself.")
		} else if name != "key" && name != "value" {
			s.fail(at, "Invalid reference", "each has two attributes: each.key and each.value.")
		}
	case "count":
		if name, _ := attrStep(t, 1); s.unknownRepeat {
			s.unreported++
		} else if !s.count {
			s.fail(at, "Invalid reference",
				"count.index is available only in blocks with count, and not in count itself.")
		} else if name != "index" {
			s.fail(at, "Invalid reference", "count has one attribute: count.index.")
		}
	case "self":
		s.scanSelf(t)
	case "module":
		s.scanModule(t)
	case "terraform":
		s.fail(at, "Invalid reference",
			"hew has no workspaces: a directory is one configuration for one host. Use a variable, such as "+
				"var.environment, and one -var-file for each environment.")
	default:
		if r, ok := s.resolveName(t); ok && s.checkSteps(r, t) {
			s.node.refs = append(s.node.refs, r)
			s.recordMention(r, t)
		}
	}
}

// resolveName returns the local value or block at the start of t.
func (s *scanner) resolveName(t hcl.Traversal) (ref, bool) {
	at := t.SourceRange()
	root := t.RootName()
	first, ok := attrStep(t, 1)
	kindOf, prefix, n := s.kinds.Resource, root, 2
	switch {
	case s.node.scope.broken[strings.TrimSuffix(root+"."+first, ".")]:
		s.unreported++
		return ref{}, false
	case s.node.scope.unmanaged[blockName(t)] != "":
		name := blockName(t)
		s.fail(at, "Reference to unmanaged object",
			"%s has no value, because hew does not manage it%s Pass the value in as a variable.",
			name, foreign.Reason(s.node.scope.unmanaged[name]))
		return ref{}, false
	case root == "local":
		if !ok {
			s.fail(at, "Invalid reference", "Name the local value: local.NAME.")
			return ref{}, false
		}
	case root == "data" && !ok:
		s.fail(at, "Invalid reference", "Name the data source and its attribute: data.KIND.NAME.ATTRIBUTE.")
		return ref{}, false
	case root == "data":
		kindOf, prefix, n = s.kinds.Source, "data."+first, 3
		if kindOf(first) == nil {
			s.fail(at, "Unknown data source", "hew has no data source %q.%s", first,
				didyoumean.Hint(first, s.kinds.SourceNames()))
			return ref{}, false
		}
		first, ok = attrStep(t, 2)
	case invalidRoots[root] != "":
		s.fail(at, "Invalid reference", "%s is not a valid reference. %s", root, invalidRoots[root])
		return ref{}, false
	case kindOf(root) == nil:
		s.fail(at, "Reference to undeclared object", "hew has no resource kind %q.%s %s", root,
			s.suggestKind(root, slices.Concat(s.kinds.Names(), scopeWords)), referenceHint(t))
		return ref{}, false
	}
	if !ok {
		s.fail(at, "Invalid reference",
			"%s is a kind. Name one of its blocks and an attribute: %s.NAME.ATTRIBUTE.", prefix, prefix)
		return ref{}, false
	}
	name := prefix + "." + first
	to := s.node.scope.names[name]
	switch {
	case to == nil && s.node.scope.mayDeclare(name):
		s.unreported++
		return ref{}, false
	case to == nil:
		s.fail(at, "Reference to undeclared object", "%s is not declared in %s.%s", name, s.node.scope,
			didyoumean.Hint(name, s.node.scope.namesWithPrefix(prefix+".")))
		return ref{}, false
	case to.block != nil && to.block.Check != "" && (s.node.rule == nil || s.node.rule.check != to.block.Check):
		s.fail(at, "Reference to undeclared object",
			"%s is inside check.%s, so only its assertions can refer to it. Move it to the top level of a file.",
			name, to.block.Check)
		return ref{}, false
	}
	r := ref{to: to, at: at, keys: s.inRepeat}
	if len(t) > n {
		if step, ok := t[n].(hcl.TraverseIndex); ok {
			r.key = formatKey(step.Key)
		}
	}
	return r, true
}

// checkSteps checks what follows the name of a block: an instance key if and only if the
// block has instances, and then an attribute.
func (s *scanner) checkSteps(r ref, t hcl.Traversal) bool {
	b := r.to.block
	switch {
	case b == nil:
		return true
	case r.to.misspelt:
		s.unreported++
		return false
	}
	rest := t[b.nameSteps():]
	if len(rest) == 0 {
		return true
	}
	name, isAttr := attrStep(rest, 0)
	switch {
	case b.keyed() && isAttr && b.has(name):
		s.fail(r.at, "Missing instance key",
			"%s has several instances. Select one with a key: %s[KEY].%s.", r.to.name, r.to.name, name)
		return false
	case b.keyed():
		rest = rest[1:]
	case r.key != "" && !b.has(unquoteKey(r.key)):
		s.fail(r.at, "Unexpected instance key",
			"%s has neither for_each nor count, so its address has no key. Remove the key.", r.to.name)
		return false
	case r.key != "":
		return true
	}
	if name, ok := attrStep(rest, 0); ok && !b.has(name) && !(b.keyed() && isAttr) {
		s.fail(r.at, "Unsupported attribute", "%s", b.noAttribute(name))
		return false
	}
	return true
}

// blockName returns the name of the block at the start of a reference.
func blockName(t hcl.Traversal) string {
	n := 2
	if t.RootName() == "data" {
		n = 3
	}
	return formatTraversal(t[:min(n, len(t))])
}

// namesWithPrefix returns the declared names that begin with prefix.
func (m *module) namesWithPrefix(prefix string) (names []string) {
	for _, n := range m.nodes {
		if strings.HasPrefix(n.name, prefix) {
			names = append(names, n.name)
		}
	}
	return names
}

// String names the module in error messages.
func (m *module) String() string {
	if m.parent == nil {
		return "this configuration"
	}
	return "the module in " + m.dir
}

func attrStep(t hcl.Traversal, i int) (string, bool) {
	if i >= len(t) {
		return "", false
	}
	step, ok := t[i].(hcl.TraverseAttr)
	return step.Name, ok
}

// formatKey returns the instance key for an index in an expression.
func formatKey(v cty.Value) string {
	v, _ = v.Unmark()
	switch {
	case v.IsNull():
		return "null"
	case v.Type() == cty.String:
		return addr.StringKey(v.AsString())
	case v.Type() == cty.Bool: // not a valid key
		return strconv.FormatBool(v.True())
	}
	return v.AsBigFloat().Text('f', -1)
}
