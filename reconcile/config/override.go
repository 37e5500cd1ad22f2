package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/schema/pattern"
)

// Override files change what the other files of their directory declare: override.hcl,
// prod_override.tf. They come last, in the order of their names. Arguments replace those
// of the block with the same name; nested blocks replace all of their type.

var overrideFile = pattern.Lazy(`(^|/|_)override\.(hcl|tf)(\.json)?$`)

// optionalBlocks have a default, so an override file can have one without a block to
// override.
var optionalBlocks = []string{"hew", "provider", "terraform"}

// override merges the blocks of an override file into those of its source.
func (l *loader) override(s *source, over hcl.Blocks) {
	for _, o := range over {
		i := slices.IndexFunc(s.blocks, func(b *hcl.Block) bool { return blockIdentity(b) == blockIdentity(o) })
		switch {
		case o.Type == "locals":
			l.overrideLocals(s, o)
		case slices.Contains([]string{"check", "import", "moved", "removed"}, o.Type):
			l.fail(o.DefRange, "Invalid override",
				"%s block cannot be overridden. Move it to a file whose name does not end in override.",
				withArticle(o.Type))
		case i >= 0:
			b := *s.blocks[i]
			b.Body = overlayBody{b.Body, o.Body}
			s.blocks[i] = &b
		case slices.Contains(optionalBlocks, o.Type):
			s.blocks = append(s.blocks, o)
		case s.partial || slices.Contains(s.misspelt, declaredName(o.Type, o.Labels)):
			// it may be in a part that cannot be read
		default:
			l.fail(o.DefRange, "Invalid override",
				"This override file changes %s, which no other file declares. Declare it in another file, or "+
					"correct the name.", declaredName(o.Type, o.Labels))
		}
	}
}

// blockIdentity returns what two blocks must share for one to override the other.
func blockIdentity(b *hcl.Block) string {
	names := append([]string{b.Type}, b.Labels...)
	if b.Type == "provider" {
		content, _, _ := b.Body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "alias"}}})
		if a := content.Attributes["alias"]; a != nil {
			if v, diags := a.Expr.Value(nil); !diags.HasErrors() {
				names = append(names, v.GoString())
			}
		}
	}
	return strings.Join(names, " ")
}

// overrideLocals overrides local values, each by its name.
func (l *loader) overrideLocals(s *source, o *hcl.Block) {
	left := l.readAttributes(o.Body, "A locals block")
	over := maps.Clone(left)
	for i, b := range s.blocks {
		if b.Type != "locals" {
			continue
		}
		attrs, _ := b.Body.JustAttributes() // their errors are reported when they are loaded
		maps.DeleteFunc(left, func(name string, _ *hcl.Attribute) bool { return attrs[name] != nil })
		changed := *b
		changed.Body = overlayLocals{b.Body, over}
		s.blocks[i] = &changed
	}
	if s.partial {
		return
	}
	for _, a := range sortAttributes(left) {
		l.fail(a.NameRange, "Invalid override",
			"This override file changes local.%s, which no other file declares. Declare it in another file, or "+
				"correct the name.", a.Name)
	}
}

// overlayLocals is the body of a locals block with overrides.
type overlayLocals struct {
	hcl.Body
	over hcl.Attributes
}

// JustAttributes returns the local values with their overrides.
func (o overlayLocals) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attrs, diags := o.Body.JustAttributes()
	for name := range attrs {
		if a := o.over[name]; a != nil {
			attrs[name] = a
		}
	}
	return attrs, diags
}

// overlayBody is the body of a block with an override.
type overlayBody struct {
	hcl.Body
	over hcl.Body
}

// Content returns the merged content.
func (o overlayBody) Content(s *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	return o.readBoth(s,
		func(b hcl.Body, s *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) { return b.Content(s) })
}

// PartialContent returns the merged content and the merged rest.
func (o overlayBody) PartialContent(s *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	var left []hcl.Body
	content, diags := o.readBoth(s, func(b hcl.Body, s *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
		content, rest, diags := b.PartialContent(s)
		left = append(left, rest)
		return content, diags
	})
	return content, overlayBody{left[0], left[1]}, diags
}

// JustAttributes returns the merged attributes.
func (o overlayBody) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attrs, diags := o.Body.JustAttributes()
	over, more := o.over.JustAttributes()
	maps.Copy(attrs, over)
	return attrs, append(diags, more...)
}

// readBoth merges the contents of both bodies. Arguments that a schema requires may be in
// either.
func (o overlayBody) readBoth(s *hcl.BodySchema,
	read func(hcl.Body, *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics)) (*hcl.BodyContent, hcl.Diagnostics) {
	loose := &hcl.BodySchema{Attributes: slices.Clone(s.Attributes), Blocks: s.Blocks}
	for i := range loose.Attributes {
		loose.Attributes[i].Required = false
	}
	content, diags := read(o.Body, loose)
	over, more := read(o.over, loose)
	diags = append(diags, more...)
	maps.Copy(content.Attributes, over.Attributes)
	content.Blocks = overrideNested(content.Blocks, over.Blocks)
	for _, a := range s.Attributes {
		if a.Required && content.Attributes[a.Name] == nil {
			_, _, missing := o.Body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{a}})
			diags = append(diags, missing...)
		}
	}
	return content, diags
}

// overrideNested replaces nested blocks by those of the same type; a dynamic block has the
// type that it generates. The arguments of a lifecycle block are merged.
func overrideNested(blocks, over hcl.Blocks) hcl.Blocks {
	made := func(b *hcl.Block) string {
		if b.Type == "dynamic" {
			return b.Labels[0]
		}
		return b.Type
	}
	kept := hcl.Blocks{}
	for _, b := range blocks {
		i := slices.IndexFunc(over, func(o *hcl.Block) bool { return made(o) == made(b) })
		switch {
		case i < 0:
			kept = append(kept, b)
		case b.Type == "lifecycle":
			both := *over[i]
			both.Body = overlayBody{b.Body, both.Body}
			over = slices.Clone(over)
			over[i] = &both
		}
	}
	return append(kept, over...)
}
