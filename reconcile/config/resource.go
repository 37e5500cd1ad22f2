package config

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

var metaSchema = []hcl.AttributeSchema{{Name: "for_each"}, {Name: "count"}, {Name: "depends_on"}}

// blockSchemas caches, by kind, what a block of it may hold. Names that people
// bring from elsewhere are let in, to be refused with a reason.
var blockSchemas sync.Map

func blockSchema(k *schema.Kind) *hcl.BodySchema {
	if s, ok := blockSchemas.Load(k); ok {
		return s.(*hcl.BodySchema)
	}
	s := &hcl.BodySchema{
		Attributes: slices.Clone(metaSchema),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}, {Type: "dynamic", LabelNames: []string{"block"}}},
	}
	if k.Attr("provider") == nil {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: "provider"})
	}
	for i := range k.Attrs {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: k.Attrs[i].Name, Required: k.Attrs[i].Mode == schema.Required})
	}
	blockSchemas.Store(k, s)
	return s
}

func (l *loader) resource(b *hcl.Block) {
	k := l.kinds.Resources[b.Labels[0]]
	if k == nil {
		l.fail(b.LabelRanges[0], "Unknown kind", "There is no kind of resource named %q.%s hew schema lists all kinds.", b.Labels[0], didYouMean(b.Labels[0], l.kinds.Names()))
		return
	}
	l.block(b, addr.Resource, k, blockSchema(k))
}

func (l *loader) data(b *hcl.Block) {
	k := l.kinds.Sources[b.Labels[0]]
	if k == nil {
		l.fail(b.LabelRanges[0], "Unknown data source", "There is no data source named %q.%s hew schema lists all of them.", b.Labels[0], didYouMean(b.Labels[0], l.kinds.SourceNames()))
		return
	}
	l.block(b, addr.Data, k, blockSchema(k))
}

// exclusive reads a claim on the collections of a kind. Its only argument, of,
// is the kind's owner attribute by another name.
func (l *loader) exclusive(b *hcl.Block) {
	k := l.kinds.Resources[b.Labels[0]]
	switch {
	case k == nil:
		l.fail(b.LabelRanges[0], "Unknown kind", "There is no kind of resource named %q.%s hew schema lists all kinds.", b.Labels[0], didYouMean(b.Labels[0], l.kinds.Names()))
		return
	case k.Set != nil && k.Set.Exclusive != "":
		l.fail(b.LabelRanges[0], "Unsuitable kind", "A %s block claims its collection itself: set %s = true there, or claim the kind %q.", k.Name, k.Set.Exclusive, k.Set.Element)
		return
	case k.Owner() == nil:
		l.fail(b.LabelRanges[0], "Unsuitable kind", "Objects of kind %q are not held in the collection of an owner that could be claimed.", k.Name)
		return
	}
	l.block(b, addr.Exclusive, k, &exclusiveSchema)
}

var exclusiveSchema = hcl.BodySchema{
	Attributes: append(slices.Clone(metaSchema), hcl.AttributeSchema{Name: "of", Required: true}),
	Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}},
}

// block reads what resource, data and exclusive blocks have in common.
func (l *loader) block(b *hcl.Block, mode addr.Mode, k *schema.Kind, bs *hcl.BodySchema) {
	name := b.Labels[1]
	if !hclsyntax.ValidIdentifier(name) {
		l.fail(b.LabelRanges[1], "Invalid name", "%q cannot be the name of a block: names are letters, digits, - and _, and begin with a letter.", name)
		return
	}
	content, diags := b.Body.Content(bs)
	l.add(l.explainBlock(diags, k))
	blk := &Block{Addr: addr.Block{Mode: mode, Kind: k.Name, Name: name}, Kind: k, Decl: b.DefRange}
	n := &node{name: blk.Addr.String(), decl: b.DefRange, block: blk}
	if a := content.Attributes["for_each"]; a != nil {
		blk.forEach = a.Expr
	}
	if a := content.Attributes["count"]; a != nil {
		blk.count = a.Expr
		if blk.forEach != nil {
			l.fail(a.NameRange, "Conflicting arguments", "A block has either for_each or count, not both.")
		}
	}
	if a := content.Attributes["provider"]; a != nil && k.Attr("provider") == nil {
		l.fail(a.NameRange, "Unsupported argument", "There is no provider meta-argument: a run speaks to one host. Remove the line.")
	}
	l.dependsOn(n, content.Attributes["depends_on"])
	for i := range k.Attrs {
		l.attribute(blk, &k.Attrs[i], content.Attributes[k.Attrs[i].Name])
	}
	if of := content.Attributes["of"]; mode == addr.Exclusive && of != nil {
		l.attribute(blk, k.Owner(), of)
	}
	l.once(content.Blocks, "lifecycle")
	for _, inner := range content.Blocks {
		switch {
		case inner.Type != "lifecycle":
			l.fail(inner.DefRange, "Not supported yet", "%s blocks are not supported by this version of hew.", inner.Type)
		case mode == addr.Data:
			l.fail(inner.DefRange, "Unsupported block type", "A data source is read and nothing else, so it has no lifecycle. Remove the block.")
		default:
			l.lifecycle(blk, inner)
		}
	}
	l.declare(n)
}

// explainBlock adds to HCL's words about unexpected things inside a block
// where they belong.
func (l *loader) explainBlock(diags hcl.Diagnostics, k *schema.Kind) hcl.Diagnostics {
	for _, d := range diags {
		if d.Subject == nil || d.Severity != hcl.DiagError {
			continue
		}
		word := string(d.Subject.SliceBytes(l.files[d.Subject.Filename]))
		if isRoot(word) && d.Summary == "Unsupported block type" {
			d.Detail = fmt.Sprintf("A %s block stands at the top of a file, not inside a %s.", word, k.Name)
		}
	}
	return diags
}

func (l *loader) attribute(b *Block, a *schema.Attr, in *hcl.Attribute) {
	switch {
	case in == nil:
		return
	case a.Mode == schema.Computed:
		l.fail(in.NameRange, "Computed attribute", "%s of %s is set by the host; configuration can refer to it and cannot state it. Remove the line.", a.Name, b.Kind.Name)
		return
	case a.Secret:
		l.mask(in.Expr)
	}
	if b.Addr.Mode != addr.Exclusive {
		l.literal(in.Expr, l.shape(b.Kind, a), b.Kind)
	}
	b.attrs = append(b.attrs, written{a, in.Expr, in.Range})
}

var lifecycleSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "prevent_destroy"}, {Name: "ignore_changes"}, {Name: "allow"},
		{Name: "create_before_destroy"}, {Name: "replace_triggered_by"}},
	Blocks: []hcl.BlockHeaderSchema{{Type: "precondition"}, {Type: "postcondition"}},
}

func (l *loader) lifecycle(b *Block, in *hcl.Block) {
	content, diags := in.Body.Content(&lifecycleSchema)
	l.add(diags)
	for _, inner := range content.Blocks {
		l.fail(inner.DefRange, "Not supported yet", "%s blocks are not supported by this version of hew.", inner.Type)
	}
	for _, a := range sorted(content.Attributes) {
		if b.Addr.Mode == addr.Exclusive && a.Name != "allow" {
			l.fail(a.NameRange, "Unsupported argument", "An exclusive block declares no object, so its lifecycle has nothing but allow.")
			continue
		}
		switch a.Name {
		case "prevent_destroy":
			l.constant(a, &b.Lifecycle.PreventDestroy)
		case "ignore_changes":
			b.Lifecycle.IgnoreChanges = l.ignored(b.Kind, a.Expr)
		case "allow":
			b.Lifecycle.Allow = l.allowed(a)
		default:
			l.fail(a.NameRange, "Not supported yet", "%s is not supported by this version of hew.", a.Name)
		}
	}
}

// ignored reads ignore_changes: all, or a list of attribute names; of a set
// kind those of its elements, for these are what changes.
func (l *loader) ignored(k *schema.Kind, expr hcl.Expression) (parts []Ignore) {
	if k.Set != nil {
		k = l.kinds.Resources[k.Set.Element]
	}
	if hcl.ExprAsKeyword(expr) == "all" {
		return []Ignore{{All: true}}
	}
	items, diags := hcl.ExprList(expr)
	l.add(diags)
	for _, item := range items {
		name := hcl.ExprAsKeyword(item)
		if v, diags := item.Value(nil); name == "" && !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() {
			name = v.AsString()
		}
		if k.Attr(name) == nil {
			l.fail(item.Range(), "Unknown attribute", "ignore_changes lists attributes of %s, and %q is none.%s", k.Name, name, didYouMean(name, attrNames(k)))
			continue
		}
		parts = append(parts, Ignore{Attr: name})
	}
	return parts
}

func attrNames(k *schema.Kind) (names []string) {
	for i := range k.Attrs {
		names = append(names, k.Attrs[i].Name)
	}
	return names
}

// GuardCodes are the guards that allow can lift for single objects, in a
// lifecycle block.
var GuardCodes = []string{"adopted-delete", "last-owner", "mass-delete", "prevent-destroy", "restore", "self-lockout", "unmarked-rename"}

// allowed reads allow: a list of guard codes.
func (l *loader) allowed(a *hcl.Attribute) (codes []string) {
	l.constant(a, &codes)
	for _, c := range codes {
		if !slices.Contains(GuardCodes, c) {
			l.fail(a.Expr.Range(), "Unknown guard", "%q is no guard that can be lifted here.%s The codes are %s.", c, didYouMean(c, GuardCodes), orList(GuardCodes))
		}
	}
	return codes
}
