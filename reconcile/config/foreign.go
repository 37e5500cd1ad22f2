package config

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config/composite"
	"hew/reconcile/config/foreign"
	"hew/schema"
)

// This file is the loader's side of package foreign: blocks and files that are written for
// Terraform.

// reporter implements foreign.Reporter.
type reporter struct{ *loader }

// Fail adds an error.
func (r reporter) Fail(at hcl.Range, summary, format string, args ...any) {
	r.fail(at, summary, format, args...)
}

// Note adds a note.
func (r reporter) Note(at hcl.Range, format string, args ...any) { r.note(at, format, args...) }

// Mask hides the literals of a secret.
func (r reporter) Mask(e hcl.Expression) { r.mask(e) }

// Content reads a nested body.
func (r reporter) Content(body hcl.Body, s *hcl.BodySchema, what string, at hcl.Range) *hcl.BodyContent {
	content, _ := r.readBody(body, s, what, at)
	return content
}

// note adds a note, unless it has been added before: evaluations may be repeated.
func (c *Config) note(at hcl.Range, format string, args ...any) {
	text := FormatRange(at) + ": " + endSentence(fmt.Sprintf(format, args...))
	c.noting.Lock()
	defer c.noting.Unlock()
	if !c.noted[text] {
		c.noted[text] = true
		c.notes = append(c.notes, text)
	}
}

// aliasPrefix returns the prefix of aliases for blocks of a mode.
func aliasPrefix(mode addr.Mode) string {
	if mode == addr.Data {
		return foreign.DataPrefix
	}
	return ""
}

// aliasOf returns the alias whose names a block is written in, or nil.
func (c *Config) aliasOf(mode addr.Mode, typ string) *schema.Alias {
	if mode == addr.Exclusive {
		return nil
	}
	return c.kinds.AliasOf(aliasPrefix(mode) + typ)
}

// aliasSchema returns what a block in the names of an alias may hold.
func (l *loader) aliasSchema(a *schema.Alias) *hcl.BodySchema {
	if l.aliasSchemas[a] == nil {
		l.aliasSchemas[a] = foreign.BodySchema(a, metaSchema)
	}
	return l.aliasSchemas[a]
}

// renamedHint returns what a block with this schema calls the kind's attribute, as a
// sentence, or "".
func (l *loader) renamedHint(s *hcl.BodySchema, attr string) string {
	for a, of := range l.aliasSchemas {
		if of == s {
			return foreign.RenamedHint(a, attr)
		}
	}
	return ""
}

// translate adds the arguments of a block that is written in the names of an alias. It
// returns the nested blocks that remain to be loaded, and those that are objects of their
// own. misspelt are the arguments that unexpected ones probably stand for.
func (l *loader) translate(b *Block, attrs hcl.Attributes, blocks []composite.Block,
	misspelt map[string]bool) ([]composite.Block, []foreign.Object) {
	t := foreign.Translate(foreign.Block{
		Alias: b.Alias, Type: b.Addr.Kind, Name: b.Addr.Name, Address: b.Addr.String(), Range: b.DeclRange,
		Attributes: attrs, Blocks: blocks, Misspelt: misspelt,
	}, l.kinds, reporter{l})
	for i := range t.Arguments {
		in := &t.Arguments[i]
		l.addArgument(b, in.Attr, &in.Attribute)
		w := &b.args[len(b.args)-1]
		w.fallback = in.Fallback
		for _, other := range in.Others {
			w.others = append(w.others, written{other.Name, other.Expr, other.Range})
		}
	}
	b.ignored = t.Ignored
	b.invalid = b.invalid || t.Incomplete
	return t.Blocks, t.Objects
}

// declareObject declares a nested block that is an object of another kind.
func (l *loader) declareObject(o foreign.Object, outer *Block) {
	b := &Block{
		Addr:      addr.Block{Mode: addr.Resource, Kind: o.Kind.Name, Name: o.Name},
		Kind:      o.Kind,
		DeclRange: o.Range,
		Lifecycle: Lifecycle{IgnoreChanges: outer.nestedIgnores[o.Block]},
	}
	if slices.ContainsFunc(outer.Lifecycle.IgnoreChanges, func(i Ignore) bool { return i.All }) {
		b.Lifecycle.IgnoreChanges = []Ignore{{All: true}}
	}
	b.when = o.Dynamic
	l.declareBlock(b, &hcl.BodyContent{Attributes: o.Attributes}, nil)
}

// skipUnmanaged reports whether hew does not manage a block, and notes it. References to
// such a block are errors.
func (l *loader) skipUnmanaged(b *hcl.Block, mode addr.Mode) bool {
	why, unmanaged := foreign.Unmanaged(l.kinds, aliasPrefix(mode), b.Labels[0], b.DefRange.Filename,
		l.mod.otherProviders)
	if unmanaged {
		name := addr.Block{Mode: mode, Kind: b.Labels[0], Name: b.Labels[1]}.String()
		l.mod.unmanaged[name] = why
		l.note(b.DefRange, "%s is not managed: %s", name, why)
	}
	return unmanaged
}

// suggestType returns the type that a misspelt one probably stands for, as a sentence to
// append. names are hew's own kinds.
func (l *loader) suggestType(typ string, mode addr.Mode, names []string) string {
	if hint, ok := foreign.SuggestType(l.kinds, typ, aliasPrefix(mode)); ok {
		return hint
	}
	return l.suggestKind(typ, names) + " Run hew schema to list all kinds."
}

// requires records the providers that a terraform block requires.
func (l *loader) requires(b *hcl.Block) {
	for _, name := range foreign.RequiredProviders(b) {
		l.mod.otherProviders[name] = name != foreign.HostProvider
	}
}

func (l *loader) loadTerraform(b *hcl.Block) { foreign.CheckTerraform(b, reporter{l}) }

// loadLabelledProvider reads a provider block in Terraform's form.
func (l *loader) loadLabelledProvider(b *hcl.Block) {
	p, ok := foreign.ReadProvider(b, reporter{l})
	if !ok {
		l.mod.otherProviders[b.Labels[0]] = true
		return
	}
	name := "provider"
	if p.Alias != nil {
		var alias string
		l.decodeConstant(p.Alias, &alias)
		name = "provider " + foreign.HostProvider + "." + alias
	}
	set := &settings{attrs: p.Attributes}
	switch {
	case !l.declareSettings(b, name, set):
	case l.provider == nil:
		l.provider = set
	default:
		l.hosts = append(l.hosts, set)
	}
}

// terraformRoot is the schema of the top level of a file for Terraform, whose provider
// blocks have a label.
var terraformRoot = withProviderLabel(rootSchema)

func withProviderLabel(s hcl.BodySchema) (out hcl.BodySchema) {
	for _, b := range s.Blocks {
		if b.Type == "provider" {
			b.LabelNames = []string{"name"}
		}
		out.Blocks = append(out.Blocks, b)
	}
	return out
}

// topSchema returns the schema of the top level of a file.
func topSchema(file string) *hcl.BodySchema {
	if foreign.IsFile(file) {
		return &terraformRoot
	}
	return &rootSchema
}

// withTerraform returns the schema with one more argument if the block is in a file for
// Terraform.
func withTerraform(s *hcl.BodySchema, b *hcl.Block, name string) *hcl.BodySchema {
	if !foreign.IsFile(b.DefRange.Filename) {
		return s
	}
	attrs := append([]hcl.AttributeSchema{{Name: name}}, s.Attributes...)
	return &hcl.BodySchema{Attributes: attrs, Blocks: s.Blocks}
}

// loadEphemeral reads the argument ephemeral. hew stores no secrets, so it has the effect
// of sensitive.
func (l *loader) loadEphemeral(a *hcl.Attribute, sensitive *bool) {
	is := false
	l.decodeConstant(a, &is)
	*sensitive = *sensitive || is
}

// aliasValue returns what expressions see of an instance that is written in the names of
// an alias.
func (e *Eval) aliasValue(d *Desired) cty.Value {
	b := d.Block
	known := e.lookup(d)
	vals := make(map[string]cty.Value, len(b.mentionedNames))
	for i := range b.Alias.Names {
		n := &b.Alias.Names[i]
		if !b.mentionedNames[n.Name] || !foreign.HasValue(b.Alias, n) {
			continue
		}
		v := foreign.Value(b.Alias, n,
			func(attr string) cty.Value { return d.attributeValue(b.Kind.Attr(attr), known) })
		mark := origin{from: d.Addr}
		if foreign.IsAttribute(b.Alias, n) {
			mark = originOf(d, n.Attr)
		}
		vals[n.Name] = v.Mark(mark)
	}
	return cty.ObjectVal(vals)
}
