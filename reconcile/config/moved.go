package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
)

var (
	movedSchema   = hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "from", Required: true}, {Name: "to", Required: true}}}
	removedSchema = hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "from", Required: true}}, Blocks: []hcl.BlockHeaderSchema{{Type: "lifecycle"}}}
	goingSchema   = hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "destroy"}, {Name: "allow"}}}
)

func (l *loader) moved(b *hcl.Block) {
	content, diags := b.Body.Content(&movedSchema)
	l.add(diags)
	from, ok := l.address(content.Attributes["from"])
	to, ok2 := l.address(content.Attributes["to"])
	if !ok || !ok2 {
		return
	}
	if from == to {
		l.fail(b.DefRange, "Invalid move", "from and to are both %s.", from)
		return
	}
	l.leaves(from, b)
	l.moves = append(l.moves, Move{From: from, To: to, Decl: b.DefRange})
}

func (l *loader) removed(b *hcl.Block) {
	content, diags := b.Body.Content(&removedSchema)
	l.add(diags)
	from, ok := l.address(content.Attributes["from"])
	if !ok {
		return
	}
	r := Removal{From: from, Destroy: true, Decl: b.DefRange}
	l.once(content.Blocks, "lifecycle")
	for _, inner := range content.Blocks {
		c, diags := inner.Body.Content(&goingSchema)
		l.add(diags)
		l.constant(c.Attributes["destroy"], &r.Destroy)
		if a := c.Attributes["allow"]; a != nil {
			r.Allow = l.allowed(a)
		}
	}
	l.leaves(from, b)
	l.removals = append(l.removals, r)
}

// leaves makes sure that one statement alone says where an address has gone.
func (l *loader) leaves(from addr.Instance, b *hcl.Block) {
	if first, twice := l.left[from]; twice {
		l.fail(b.DefRange, "Duplicate declaration", "What has become of %s is already told at %s. Remove one of the two.", from, first)
		return
	}
	l.left[from] = b.DefRange
}

// address reads an argument that names a resource block or an instance of one.
func (l *loader) address(a *hcl.Attribute) (addr.Instance, bool) {
	if a == nil {
		return addr.Instance{}, false
	}
	at := a.Expr.Range()
	t, diags := hcl.AbsTraversalForExpr(a.Expr)
	if diags.HasErrors() {
		l.fail(at, "Invalid address", "%s takes the address of a resource, as in group.acme or project_hook.ci[\"acme/api\"].", a.Name)
		return addr.Instance{}, false
	}
	name, ok := attrStep(t, 1)
	kind := l.kinds.Resources[t.RootName()]
	if !ok || len(t) > 4 || len(t) == 4 && (kind == nil || kind.Set == nil) {
		l.fail(at, "Invalid address", "%s takes the address of a resource, as in group.acme or project_hook.ci[\"acme/api\"].", a.Name)
		return addr.Instance{}, false
	}
	if kind == nil {
		l.fail(at, "Unknown kind", "There is no kind of resource named %q.%s", t.RootName(), didYouMean(t.RootName(), l.kinds.Names()))
		return addr.Instance{}, false
	}
	i := addr.Instance{Block: addr.Block{Kind: t.RootName(), Name: name}}
	for n, step := range t[2:] {
		step, ok := step.(hcl.TraverseIndex)
		if !ok || step.Key.Type() != cty.String && (step.Key.Type() != cty.Number || n > 0) {
			l.fail(at, "Invalid address", "%s names an object, not one of its attributes.", a.Name)
			return addr.Instance{}, false
		}
		if n == 0 {
			i.Key = printedKey(step.Key)
		} else {
			i.Elem = step.Key.AsString()
		}
	}
	return i, true
}

// checkMoves refuses moves and removals of blocks that are still declared: one
// of the two statements must be wrong.
func (l *loader) checkMoves() {
	declared := func(i addr.Instance) bool { return i.Key == "" && l.names[i.Block.String()] != nil }
	for _, m := range l.moves {
		if declared(m.From) && !l.names[m.From.Block.String()].block.keyed() {
			l.fail(m.Decl, "Still declared", "%s is said to have moved to %s and is still declared at %s. Rename or remove that block.", m.From, m.To, l.names[m.From.Block.String()].decl)
		}
	}
	for _, r := range l.removals {
		if declared(r.From) {
			l.fail(r.Decl, "Still declared", "%s is said to be removed and is still declared at %s. Remove one of the two.", r.From, l.names[r.From.Block.String()].decl)
		}
	}
}
