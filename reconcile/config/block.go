package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config/composite"
	"hew/schema"
)

// Block is a resource, data or exclusive block as written. All its instances
// share it.
type Block struct {
	Addr      addr.Block
	Kind      *schema.Kind  // of an exclusive block: the elements' kind
	Alias     *schema.Alias // the other tool's names that it is written in, or nil
	Lifecycle Lifecycle
	Decl      hcl.Range
	// Check is the check block that a data source stands in, "" for all others:
	// what becomes of it concerns nothing but the check.
	Check          string
	args           []argument
	mentionedAttrs map[string]bool // the attributes that expressions are after
	// mentionedNames are the same by the names of the alias.
	mentionedNames map[string]bool
	preconditions  []condition // preconditions
	postconditions *node       // its postconditions
	triggers       []hcl.Expression
	invalid        bool // arguments are missing or misspelt
	allMentioned   bool // mentioned is everything, for whoever looks around
	repeat
}

// argument is one attribute of a block.
type argument struct {
	attr   *schema.Attr
	name   string // as written
	expr   hcl.Expression
	at     hcl.Range
	broken bool // in error as it stands
}

// nameSteps is how many steps of a reference name the block, steps how many lead
// to an instance of it.
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

// Range is where the named attribute is written, or the block's own range. A
// path into a literal, members["bob"].expires_at, is followed as far as the
// source goes.
func (b *Block) Range(path string) hcl.Range {
	steps, diags := hclsyntax.ParseTraversalAbs([]byte(path), "", hcl.InitialPos)
	if diags.HasErrors() {
		return b.Decl
	}
	for _, w := range b.args {
		if w.attr.Name == steps.RootName() {
			return entryRange(w.expr, steps[1:], w.at)
		}
	}
	return b.Decl
}

// Written is what the object's block calls an attribute.
func (d *Desired) Written(attr string) string {
	if d == nil || d.Block == nil {
		return attr
	}
	return d.Block.Alias.Written(attr)
}

// Range is where the named attribute of d is written: for an element of a set
// kind inside its entry of the map.
func (d *Desired) Range(attr string) hcl.Range {
	set := d.Block.Kind.Set
	if set == nil || d.Addr.Elem == "" || d.Addr.Mode != addr.Resource {
		return d.Block.Range(attr)
	}
	for _, w := range d.Block.args {
		if w.attr.Name == attr {
			return w.at // the owner, stated once for all elements
		}
	}
	for _, w := range d.Block.args {
		if w.attr.Name == set.Attr {
			steps := hcl.Traversal{hcl.TraverseIndex{Key: cty.StringVal(d.Addr.Elem)}, hcl.TraverseAttr{Name: attr}}
			return entryRange(w.expr, steps, w.at)
		}
	}
	return d.Block.Decl
}

// entryRange follows steps through object literals and returns the range of the
// last entry that it finds.
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
