package pull

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/rewrite"
	"hew/schema"
)

// write writes down a container.
func (p *puller) write(g *page) error {
	var b strings.Builder
	for _, it := range g.items {
		b.WriteString("\n")
		p.block(&b, g, it)
		p.out.said.Blocks[it.kind.Name]++
	}
	for _, o := range p.out.remarks(g.at) {
		fmt.Fprintf(&b, "\n# %s\n", o)
	}
	if b.Len() == 0 {
		return nil
	}
	formatted, diags := config.Format([]byte(b.String()), g.at.file)
	if diags.HasErrors() {
		return fmt.Errorf("what %s is to hold is no configuration: %w", g.at.file, diags)
	}
	return p.out.write(g.at.file, formatted)
}

// block writes one block.
func (p *puller) block(b *strings.Builder, g *page, it *item) {
	fmt.Fprintf(b, "resource %q %q {\n", it.kind.Name, it.name)
	for _, l := range it.lines {
		fmt.Fprintf(b, "%s = %s\n", l.attr.Name, p.value(g, it, l))
	}
	if it.members != nil {
		p.elements(b, g, it)
	}
	for _, n := range it.notes {
		fmt.Fprintf(b, "# %s\n", oneLine(n.text))
		p.out.omit(&p.out.said.Left, Omission{Kind: it.kind.Name, Which: it.name, Why: n.text, sort: n.attr})
	}
	if g.at.frozen && it == g.at.self {
		b.WriteString("# What is in it is not written: nothing of it can be changed until it is brought back.\n")
	}
	b.WriteString("}\n")
}

// value is the right side of a line.
func (p *puller) value(g *page, it *item, l line) string {
	if l.secret != open {
		return "var." + p.out.variable(p.names.variable(it, l.attr.Name), it, l, "")
	}
	if len(l.keys) == 0 {
		return p.expression(g, l)
	}
	var fields []string
	shown := l.value.AsValueMap()
	for _, key := range slices.Sorted(maps.Keys(l.filled().AsValueMap())) {
		v, open := shown[key]
		text := ""
		if open {
			text = rewrite.Expression(v)
		} else {
			text = "var." + p.out.variable(p.names.variable(it, key), it, line{attr: l.attr, secret: required}, key)
		}
		fields = append(fields, rewrite.Key(key)+" = "+text)
	}
	return rewrite.Enclosed(fields, true)
}

// elements writes the map of a set, an element a line.
func (p *puller) elements(b *strings.Builder, g *page, it *item) {
	set := it.kind.Set
	fields := it.kind.Attr(set.Attr).Type.ElementType().AttributeTypes()
	entries := map[string]string{}
	for _, m := range it.members {
		var said []string
		for _, l := range m.lines {
			if _, has := fields[l.attr.Name]; has {
				said = append(said, l.attr.Name+" = "+p.expression(g, l))
			}
		}
		entries[p.keyOf(g, set, m)] = rewrite.Enclosed(said, true)
		for _, n := range m.notes {
			it.notes = append(it.notes, note{n.attr, p.keyOf(g, set, m) + ": " + n.text})
		}
	}
	fmt.Fprintf(b, "%s = {\n", set.Attr)
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		fmt.Fprintf(b, "%s = %s\n", rewrite.Key(key), entries[key])
	}
	b.WriteString("}\n")
}

// oneLine is a text for a comment, without what does not print: hosts have a say in it.
func oneLine(s string) string {
	shown := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
	return strings.Join(strings.Fields(shown), " ")
}

// declaration is the block of a variable that stands for a secret: a line, or one
// key of it. Of an address it says which one it is, for another may differ in the
// secret alone.
func declaration(name string, it *item, l line, key string) string {
	typ, of, which, end := typeexpr.TypeString(l.attr.Type), l.attr.Name, "", "."
	if key != "" {
		typ, of = "string", of+"."+key
	}
	if l.shown != "" {
		which = fmt.Sprintf(" (%s)", oneLine(l.shown))
		if it.kind.Holds == schema.Many {
			which = fmt.Sprintf(" (id %s, %s)", it.obj.ID, oneLine(l.shown))
		}
	}
	if l.secret == required {
		end = ", which has to be stated."
	}
	description := fmt.Sprintf("The %s of %s%s%s", of, it.address(), which, end)
	var b strings.Builder
	fmt.Fprintf(&b, "\nvariable %q {\n", name)
	fmt.Fprintf(&b, "description = %s\ntype = %s\nsensitive = true\n", rewrite.Expression(cty.StringVal(description)), typ)
	if l.secret == optional {
		b.WriteString("default = null # which leaves it as it is\n")
	} else {
		b.WriteString("# It has no default: a plan takes the value that the host has, or a new one.\n")
	}
	b.WriteString("}\n")
	return b.String()
}
