package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config/composite"
	"hew/reconcile/config/foreign"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

var metaSchema = []hcl.AttributeSchema{{Name: "for_each"}, {Name: "count"}, {Name: "depends_on"}}

// blockSchema returns what a block of a kind supports, and some of what it does not, for
// better errors.
func (l *loader) blockSchema(k *schema.Kind) *hcl.BodySchema {
	if s := l.schemas[k]; s != nil {
		return s
	}
	s := &hcl.BodySchema{
		Attributes: slices.Clone(metaSchema),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}, {Type: "dynamic", LabelNames: []string{"block"}}},
	}
	for i := range k.Attrs {
		s.Attributes = append(s.Attributes,
			hcl.AttributeSchema{Name: k.Attrs[i].Name, Required: k.Attrs[i].Mode == schema.Required})
	}
	for _, b := range k.Blocks {
		s.Blocks = append(s.Blocks, hcl.BlockHeaderSchema{Type: b.Name})
	}
	l.schemas[k] = s
	return s
}

// kindOf returns the kind in a block's first label, or nil after reporting an error.
func (l *loader) kindOf(b *hcl.Block) *schema.Kind {
	k := l.kinds.Resource(b.Labels[0])
	if k == nil {
		l.fail(b.LabelRanges[0], "Unknown resource kind", "hew has no resource kind %q.%s", b.Labels[0],
			l.suggestType(b.Labels[0], addr.Resource, l.kinds.Names()))
	}
	return k
}

func (l *loader) loadResource(b *hcl.Block) {
	if l.skipUnmanaged(b, addr.Resource) {
		return
	}
	k := l.kindOf(b)
	if k == nil {
		names := l.kinds.Names()
		for _, meant := range append(kindsEndingIn(b.Labels[0], names), didyoumean.Nearest(b.Labels[0], names)) {
			l.mod.broken[meant+"."+b.Labels[1]] = true
		}
		return
	}
	l.loadBlock(b, addr.Resource, k, l.schemaOf(addr.Resource, b.Labels[0], k))
}

// schemaOf returns what a block of a type supports.
func (l *loader) schemaOf(mode addr.Mode, typ string, k *schema.Kind) *hcl.BodySchema {
	if a := l.aliasOf(mode, typ); a != nil {
		return l.aliasSchema(a)
	}
	return l.blockSchema(k)
}

func (l *loader) loadData(b *hcl.Block) {
	if l.skipUnmanaged(b, addr.Data) {
		return
	}
	k := l.kinds.Source(b.Labels[0])
	if k == nil {
		l.fail(b.LabelRanges[0], "Unknown data source", "hew has no data source %q.%s", b.Labels[0],
			l.suggestType(b.Labels[0], addr.Data, l.kinds.SourceNames()))
		l.mod.broken["data."+didyoumean.Nearest(b.Labels[0], l.kinds.SourceNames())+"."+b.Labels[1]] = true
		return
	}
	l.loadBlock(b, addr.Data, k, l.schemaOf(addr.Data, b.Labels[0], k))
}

// loadExclusive reads an exclusive block, which claims the collections of a kind. Its
// argument of sets the kind's owner attribute.
func (l *loader) loadExclusive(b *hcl.Block) {
	k := l.kindOf(b)
	switch {
	case k == nil:
		return
	case k.Name != b.Labels[0]:
		l.fail(b.LabelRanges[0], "Invalid exclusive block",
			"An exclusive block must use hew's name for the kind. Write exclusive %q.", k.Name)
		return
	case k.Set != nil && k.Set.Exclusive != "":
		l.fail(b.LabelRanges[0], "Invalid exclusive block",
			"A %s block can claim its collection itself. Set %s = true in that block, or write exclusive %q.",
			k.Name, k.Set.Exclusive, k.Set.Element)
		return
	case k.Holds != schema.Many:
		l.fail(b.LabelRanges[0], "Invalid exclusive block",
			"An owner has at most one %s, so there is no collection to claim. Declare the object, or remove the "+
				"block.", k.Name)
		return
	case k.Owner() == nil:
		l.fail(b.LabelRanges[0], "Invalid exclusive block",
			"Objects of kind %q have no owner, so there is no collection to claim. Remove the block.", k.Name)
		return
	}
	l.loadBlock(b, addr.Exclusive, k, &exclusiveSchema)
}

var exclusiveSchema = hcl.BodySchema{
	Attributes: append(slices.Clone(metaSchema), hcl.AttributeSchema{Name: "of", Required: true}),
	Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}},
}

// loadBlock reads the labels and the body of a resource, data or exclusive block.
func (l *loader) loadBlock(b *hcl.Block, mode addr.Mode, k *schema.Kind, bs *hcl.BodySchema) {
	name := b.Labels[1]
	if !l.validName(name, b.LabelRanges[1], "a block") {
		return
	}
	at := addr.Block{Mode: mode, Kind: b.Labels[0], Name: name}
	alias := l.aliasOf(mode, at.Kind)
	if alias != nil && alias.Cases != nil {
		if alias = foreign.SelectCase(alias, b, reporter{l}); alias == nil {
			l.mod.broken[at.String()] = true
			return
		}
		k, bs = alias.Kind, l.aliasSchema(alias)
	}
	content, diags := b.Body.Content(bs)
	var meant map[string]bool
	if len(diags) > 0 {
		meant = l.explainBody(diags, bs, statedNames(bs, k, alias), at.String(), b.DefRange)
	}
	l.declareBlock(
		&Block{Addr: at, Kind: k, Alias: alias, DeclRange: b.DefRange, Check: l.checking, invalid: len(diags) > 0},
		content,
		meant)
}

// declareBlock reads the content of a block and declares it. meant are the arguments that
// misspelt ones probably stand for.
func (l *loader) declareBlock(blk *Block, content *hcl.BodyContent, meant map[string]bool) {
	k := blk.Kind
	when := blk.when
	blk.repeat = l.readRepeat(content.Attributes)
	blk.when = when
	n := &node{name: blk.Addr.String(), decl: blk.DeclRange, block: blk, misspelt: meant["for_each"] || meant["count"]}
	n.broken = n.misspelt
	blk.Addr.Module = l.mod.path
	if l.browse {
		blk.recordMention(blk.names()...)
		blk.allMentioned = true
	}
	l.dependsOn(n, content.Attributes["depends_on"])
	blocks := l.nestedBlocks(content.Blocks)
	var objects []foreign.Object
	if blk.Alias != nil {
		blocks, objects = l.translate(blk, content.Attributes, blocks, meant)
	} else {
		for i := range k.Attrs {
			l.addArgument(blk, &k.Attrs[i], content.Attributes[k.Attrs[i].Name])
		}
	}
	if of := content.Attributes["of"]; blk.Addr.Mode == addr.Exclusive && of != nil {
		l.addArgument(blk, k.Owner(), of)
	}
	l.requireSingle(content.Blocks, "lifecycle")
	if !l.declare(n) {
		return
	}
	l.requireUnique(blk)
	for _, inner := range content.Blocks {
		if inner.Type == "lifecycle" {
			l.loadLifecycle(n, inner)
		}
	}
	l.loadNested(blk, blocks)
	for _, o := range objects {
		l.declareObject(o, blk)
	}
}

// requireUnique reports an error for the second block of a kind of which a host has only
// one object. It skips blocks with count, since count may be 0 for one of the two.
func (l *loader) requireUnique(b *Block) {
	if b.Addr.Mode != addr.Resource || b.Kind.Holds == schema.Many || b.Kind.Owner() != nil || b.keyed() ||
		l.mod.parent != nil {
		return
	}
	if first, ok := l.uniqueBlocks[b.Kind]; ok {
		l.fail(b.DeclRange, "Duplicate declaration",
			"A host has only one %s, and it is already declared at %s. Merge the two blocks.",
			b.Kind.Name, FormatRange(first))
		return
	}
	l.uniqueBlocks[b.Kind] = b.DeclRange
}

// readRepeat reads for_each and count.
func (l *loader) readRepeat(attrs hcl.Attributes) (r repeat) {
	if a := attrs["for_each"]; a != nil {
		r.forEach = a.Expr
	}
	if a := attrs["count"]; a != nil {
		r.count = a.Expr
		if r.forEach != nil {
			l.fail(a.NameRange, "Conflicting arguments", "A block can have for_each or count, but not both.")
			r.count = nil
		}
	}
	return r
}

func (l *loader) addArgument(b *Block, a *schema.Attr, in *hcl.Attribute) {
	switch {
	case in == nil:
		return
	case a.Mode == schema.Computed:
		l.fail(in.NameRange, "Value for unconfigurable attribute",
			"%s of %s is set by the host, so a configuration cannot set it. Remove the line.", a.Name, b.Kind.Name)
		return
	case a.IsSecret() && b.Alias == nil, a.Public != nil, a.HasSecretPart():
		l.mask(in.Expr)
	}
	before := l.errors()
	if b.Addr.Mode != addr.Exclusive && !composite.Is(in.Expr) {
		l.checkLiteral(in.Expr, l.shape(b.Kind, a), b.Kind)
	}
	expr := in.Expr
	if a.RefKind() != "" { // so that chosenBranch sees a conditional
		expr = unwrapTemplate(expr)
	}
	name := a.Name
	if b.Alias != nil {
		name = in.Name
	}
	b.args = append(b.args, argument{attr: a, written: written{name, expr, in.Range}, broken: l.errors() > before})
}
