package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
)

var (
	movedSchema = hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "from", Required: true}, {Name: "to", Required: true}},
	}
	removedSchema = hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "from", Required: true}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}},
	}
	removedLifecycleSchema = hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "destroy"}, {Name: "allow"}}}
)

func (l *loader) loadMoved(b *hcl.Block) {
	content, _ := l.readBody(b.Body, &movedSchema, "A moved block", b.DefRange)
	from, ok := l.readAddress(content.Attributes["from"])
	to, ok2 := l.readAddress(content.Attributes["to"])
	if !ok || !ok2 {
		return
	}
	if from == to {
		l.fail(b.DefRange, "Invalid move", "from and to are both %s. Write two different addresses.", from)
		return
	}
	if from.Kind != to.Kind && !l.kinds.Same(from.Kind, to.Kind) {
		what := func(i addr.Instance) string {
			if i.Kind == "" {
				return "a module"
			}
			return "a " + i.Kind
		}
		l.fail(b.DefRange, "Invalid move",
			"from is %s and to is %s. A move cannot change the kind of an object.", what(from), what(to))
		return
	}
	l.recordMove(from, b)
	l.mod.moves = append(l.mod.moves, Move{From: from, To: to, DeclRange: b.DefRange})
}

func (l *loader) loadRemoved(b *hcl.Block) {
	content, _ := l.readBody(b.Body, &removedSchema, "A removed block", b.DefRange)
	from, ok := l.readAddress(content.Attributes["from"])
	if !ok {
		return
	}
	r := Removal{From: from, Destroy: true, DeclRange: b.DefRange}
	l.requireSingle(content.Blocks, "lifecycle")
	for _, inner := range content.Blocks {
		c, _ := l.readBody(inner.Body, &removedLifecycleSchema, "The lifecycle block of removed", inner.DefRange)
		l.decodeConstant(c.Attributes["destroy"], &r.Destroy)
		if a := c.Attributes["allow"]; a != nil {
			r.Allow, r.AllowAt = l.readAllow(a), a.Range.Ptr()
		}
	}
	l.recordMove(from, b)
	l.mod.removals = append(l.mod.removals, r)
}

// recordMove records that an address moved or was removed. A second block for it is an
// error.
func (l *loader) recordMove(from addr.Instance, b *hcl.Block) {
	if first, twice := l.mod.movedFrom[from]; twice {
		l.fail(b.DefRange, "Duplicate declaration",
			"%s is already moved or removed at %s. Remove one of the two blocks.", from, FormatRange(first))
		return
	}
	l.mod.movedFrom[from] = b.DefRange
}

// readAddress reads an argument that is the address of a resource block, an instance of
// one, or a module.
func (l *loader) readAddress(a *hcl.Attribute) (addr.Instance, bool) {
	if a == nil {
		return addr.Instance{}, false
	}
	return l.parseAddressExpr(a.Name, a.Expr)
}

func (l *loader) parseAddressExpr(what string, e hcl.Expression) (i addr.Instance, ok bool) {
	at := e.Range()
	t, diags := hcl.AbsTraversalForExpr(e)
	if diags.HasErrors() {
		l.fail(at, "Invalid address",
			"%s must be the address of a resource, such as group.acme or project_hook.ci[\"acme/api\"].", what)
		return i, false
	}
	return l.parseAddress(what, at, formatTraversal(t))
}

// parseAddress parses the address in an argument; what names the argument.
func (l *loader) parseAddress(what string, at hcl.Range, text string) (i addr.Instance, ok bool) {
	i, err := addr.Parse(text)
	kind := l.kinds.Resource(i.Kind)
	switch {
	case err != nil:
		l.fail(at, "Invalid address", "%s must be the address of a resource or a module: %s.", what, err)
	case i.Mode != addr.Resource:
		l.fail(at, "Invalid address", "%s must be the address of a resource, such as group.acme, not %s.", what, i)
	case i.Kind != "" && kind == nil:
		l.fail(at, "Unknown resource kind", "hew has no resource kind %q.%s", i.Kind,
			l.suggestKind(i.Kind, l.kinds.Names()))
	case i.Elem != "" && (kind == nil || kind.Set == nil):
		l.fail(at, "Invalid address", "%s can have only one key, and %s has two.", what, i)
	default:
		return i, true
	}
	return i, false
}

// formatTraversal returns a traversal in the form of an address.
func formatTraversal(t hcl.Traversal) string {
	var s strings.Builder
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			s.WriteString(step.Name)
		case hcl.TraverseAttr:
			s.WriteString("." + step.Name)
		case hcl.TraverseIndex:
			s.WriteString("[" + formatKey(step.Key) + "]")
		}
	}
	return s.String()
}

// checkMoves reports moved and removed blocks whose address is still declared.
func (l *loader) checkMoves() {
	for m := range l.root.all {
		declared := func(i addr.Instance) *node {
			i.Module = addr.JoinCalls(m.path, i.Module)
			switch {
			case strings.HasSuffix(i.Module, "]") || strings.Contains(i.Module, "]."):
				return nil // the instances are not known yet
			case i.Kind == "":
				if called := l.findModule(i.Module); called != nil {
					return called.call
				}
			case i.Kind != "" && i.Key == "":
				return l.findNode(i.Block)
			}
			return nil
		}
		for _, v := range m.moves {
			if n := declared(v.From); n != nil && !n.keyed() && (n.block == nil || !n.block.keyed()) {
				l.fail(v.DeclRange, "Object still declared",
					"%s has moved to %s, but it is still declared at %s. Rename or remove that block.",
					v.From, v.To, FormatRange(n.decl))
			}
		}
		for _, r := range m.removals {
			if n := declared(r.From); n != nil {
				l.fail(r.DeclRange, "Object still declared",
					"%s is marked as removed, but it is still declared at %s. Remove one of the two blocks.",
					r.From, FormatRange(n.decl))
			}
		}
	}
}
