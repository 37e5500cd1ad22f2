package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config/composite"
	"hew/reconcile/config/foreign"
	"hew/schema"
)

// Block is a resource, data or exclusive block. All of its instances share it.
type Block struct {
	Addr      addr.Block
	Kind      *schema.Kind  // of an exclusive block, the elements' kind
	Alias     *schema.Alias // whose names it is written in; nil for hew's own
	Lifecycle Lifecycle
	DeclRange hcl.Range
	// Check is the check block that a data source is in, or "". Failures of such a data
	// source concern only that check.
	Check          string
	args           []argument
	mentionedAttrs map[string]bool // attributes that expressions use
	// mentionedNames are the names under which expressions use them, for an Alias.
	mentionedNames map[string]bool
	preconditions  []condition
	postconditions *node // its postconditions, a node of their own
	triggers       []hcl.Expression
	ignored        []foreign.Ignored
	nestedIgnores  map[string][]Ignore // of nested blocks that are objects of their own
	invalid        bool                // arguments are missing or misspelt
	allMentioned   bool                // for expressions that are not known yet
	repeat
}

// argument is an argument of a block.
type argument struct {
	attr *schema.Attr
	written
	broken bool // in error, so it is not evaluated
	// others and fallback are for arguments under Terraform's names, whose zero values state
	// nothing: other arguments that state the attribute, and its value if none is set.
	others   []written
	fallback hcl.Expression
}

// written is an argument as it is written.
type written struct {
	name string
	expr hcl.Expression
	at   hcl.Range
}

// nameSteps returns how many steps of a reference name the block.
func (b *Block) nameSteps() int {
	if b.Addr.Mode == addr.Data {
		return 3
	}
	return 2
}

func (b *Block) instanceSteps() int {
	if b.keyed() {
		return b.nameSteps() + 1
	}
	return b.nameSteps()
}

// Range returns where a path into an attribute is written: members["bob"].expires_at. It
// follows the path as far as the literals in the source go, and returns the block's own
// range if the block does not state the attribute.
func (b *Block) Range(path string) hcl.Range {
	steps, diags := hclsyntax.ParseTraversalAbs([]byte(path), "", hcl.InitialPos)
	if diags.HasErrors() {
		return b.DeclRange
	}
	for _, w := range b.args {
		if w.attr.Name == steps.RootName() {
			return entryRange(w.expr, steps[1:], w.at)
		}
	}
	return b.DeclRange
}

// WrittenName returns what the object's block calls the attribute.
func (d *Desired) WrittenName(attr string) string {
	if d == nil || d.Block == nil {
		return attr
	}
	return d.Block.Alias.Written(attr)
}

// Range returns where the attribute of d is written; for an element of a set kind, in its
// entry of the map.
func (d *Desired) Range(attr string) hcl.Range {
	set := d.Block.Kind.Set
	if set == nil || d.Addr.Elem == "" || d.Addr.Mode != addr.Resource {
		return d.Block.Range(attr)
	}
	for _, w := range d.Block.args {
		if w.attr.Name == attr {
			return w.at // the owner, which all elements share
		}
	}
	for _, w := range d.Block.args {
		if w.attr.Name == set.Attr {
			steps := hcl.Traversal{hcl.TraverseIndex{Key: cty.StringVal(d.Addr.Elem)}, hcl.TraverseAttr{Name: attr}}
			return entryRange(w.expr, steps, w.at)
		}
	}
	return d.Block.DeclRange
}

// entryRange follows steps through object literals, and returns the range of the last
// entry it finds.
func entryRange(expr hcl.Expression, steps hcl.Traversal, at hcl.Range) hcl.Range {
	if len(steps) == 0 {
		return at
	}
	var name string
	switch s := steps[0].(type) {
	case hcl.TraverseAttr:
		name = s.Name
	case hcl.TraverseIndex:
		if s.Key.Type() != cty.String {
			return at
		}
		name = s.Key.AsString()
	}
	if e, ok := expr.(*composite.Expr); ok {
		if field, ok := e.FieldRange(name); ok {
			return field
		}
		return at
	}
	pairs, diags := hcl.ExprMap(expr)
	if diags.HasErrors() {
		return at
	}
	for _, p := range pairs {
		if key, diags := p.Key.Value(nil); !diags.HasErrors() && key.Type() == cty.String && key.IsKnown() &&
			!key.IsNull() &&
			key.AsString() == name {
			return entryRange(p.Value, steps[1:], hcl.RangeBetween(p.Key.Range(), p.Value.Range()))
		}
	}
	return at
}
