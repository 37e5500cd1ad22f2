package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Override files say anew what the others of their directory have declared:
// override.hcl, prod_override.tf. They come last, in the order of their names.
// What a block of theirs states takes the place of what the block of that name
// states, argument by argument; nested blocks take the place of all of their type.

var overriding = regexp.MustCompile(`(^|/|_)override\.(hcl|tf)(\.json)?$`)

// additions are the blocks that an override file may have where there is none to
// override: one that is not there is an empty one.
var additions = []string{"hew", "provider", "terraform"}

// override lays the blocks of an override file over those that there are.
func (l *loader) override(s *source, over hcl.Blocks) {
	for _, o := range over {
		i := slices.IndexFunc(s.blocks, func(b *hcl.Block) bool { return identity(b) == identity(o) })
		switch {
		case o.Type == "locals":
			l.overrideLocals(s, o)
		case slices.Contains([]string{"check", "import", "moved", "removed"}, o.Type):
			l.fail(o.DefRange, "Invalid override",
				"%s block cannot be overridden. Move it to a file whose name does not end in override.",
				article(o.Type))
		case i >= 0:
			b := *s.blocks[i]
			b.Body = overridden{b.Body, o.Body}
			s.blocks[i] = &b
		case slices.Contains(additions, o.Type):
			s.blocks = append(s.blocks, o)
		case s.partial || slices.Contains(s.lost, declaredName(o.Type, o.Labels)): // it may be in what cannot be read
		default:
			l.fail(o.DefRange, "Invalid override",
				"This override file changes %s, which no other file declares. Declare it in another file, or "+
					"correct the name.", declaredName(o.Type, o.Labels))
		}
	}
}

// identity tells a block apart from others at the top. Blocks without labels are
// one but for those that cannot be overridden; providers may have an alias.
func identity(b *hcl.Block) string {
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

// overrideLocals replaces local values, each by its name.
func (l *loader) overrideLocals(s *source, o *hcl.Block) {
	left := l.attributes(o.Body, "A locals block")
	over := maps.Clone(left)
	for i, b := range s.blocks {
		if b.Type != "locals" {
			continue
		}
		attrs, _ := b.Body.JustAttributes() // what is wrong with them is told when they are read
		maps.DeleteFunc(left, func(name string, _ *hcl.Attribute) bool { return attrs[name] != nil })
		changed := *b
		changed.Body = overriddenLocals{b.Body, over}
		s.blocks[i] = &changed
	}
	if s.partial {
		return
	}
	for _, a := range sorted(left) {
		l.fail(a.NameRange, "Invalid override",
			"This override file changes local.%s, which no other file declares. Declare it in another file, or "+
				"correct the name.", a.Name)
	}
}

// overriddenLocals are local values of which some are stated elsewhere.
type overriddenLocals struct {
	hcl.Body
	over hcl.Attributes
}

// JustAttributes are the local values as they are in the end.
func (o overriddenLocals) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attrs, diags := o.Body.JustAttributes()
	for name := range attrs {
		if a := o.over[name]; a != nil {
			attrs[name] = a
		}
	}
	return attrs, diags
}

// overridden is the body of a block with that of another laid over it.
type overridden struct {
	hcl.Body
	over hcl.Body
}

// Content is what both hold by a schema.
func (o overridden) Content(s *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	return o.both(s, func(b hcl.Body, s *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) { return b.Content(s) })
}

// PartialContent is the same, and what is left.
func (o overridden) PartialContent(s *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	var left []hcl.Body
	content, diags := o.both(s, func(b hcl.Body, s *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
		content, rest, diags := b.PartialContent(s)
		left = append(left, rest)
		return content, diags
	})
	return content, overridden{left[0], left[1]}, diags
}

// JustAttributes are the attributes of both.
func (o overridden) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attrs, diags := o.Body.JustAttributes()
	over, more := o.over.JustAttributes()
	maps.Copy(attrs, over)
	return attrs, append(diags, more...)
}

// both reads the two bodies, each of which may lack what the other has.
func (o overridden) both(s *hcl.BodySchema,
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

// overrideNested replaces nested blocks by those of their type, dynamic ones by
// what they make. A lifecycle is overridden argument by argument.
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
			both.Body = overridden{b.Body, both.Body}
			over = slices.Clone(over)
			over[i] = &both
		}
	}
	return append(kept, over...)
}
