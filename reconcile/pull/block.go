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

// writePage writes the blocks of a container.
func (p *puller) writePage(g *page) error {
	var b strings.Builder
	for _, it := range g.items {
		b.WriteString("\n")
		p.writeBlock(&b, g, it)
		p.out.summary.Blocks[it.kind.Name]++
	}
	for _, o := range p.out.takeComments(g.container) {
		fmt.Fprintf(&b, "\n# %s\n", o)
	}
	if b.Len() == 0 {
		return nil
	}
	formatted, diags := config.Format([]byte(b.String()), g.container.file)
	if diags.HasErrors() {
		return fmt.Errorf("the configuration for %s is not valid, which is a bug of hew: %w", g.container.file, diags)
	}
	return p.out.write(g.container.file, formatted)
}

// writeBlock writes one block.
func (p *puller) writeBlock(b *strings.Builder, g *page, it *item) {
	fmt.Fprintf(b, "resource %q %q {\n", it.kind.Name, it.name)
	for _, l := range it.lines {
		fmt.Fprintf(b, "%s = %s\n", l.attr.Name, p.lineValue(g, it, l))
	}
	if it.members != nil {
		p.writeMembers(b, g, it)
	}
	for _, n := range it.notes {
		fmt.Fprintf(b, "# %s\n", singleLine(n.text))
		p.out.count(&p.out.summary.Omitted, Omission{Kind: it.kind.Name, Name: it.name, Why: n.text, reason: n.attr})
	}
	if g.container.archived && it == g.container.self {
		fmt.Fprintf(b, "# This %s is archived, so hew pull declared nothing that is in it.\n", it.kind.Name)
	}
	b.WriteString("}\n")
}

// lineValue returns the expression on the right side of a line.
func (p *puller) lineValue(g *page, it *item, l line) string {
	if l.secret != notSecret {
		return "var." + p.out.addVariable(p.names.variable(it, l.attr.Name), it, l, "")
	}
	if len(l.secretKeys) == 0 {
		return p.expression(g, l)
	}
	var fields []string
	shown := l.value.AsValueMap()
	for _, key := range slices.Sorted(maps.Keys(l.withUnknownKeys().AsValueMap())) {
		v, ok := shown[key]
		text := ""
		if ok {
			text = rewrite.Expression(v)
		} else {
			text = "var." + p.out.addVariable(p.names.variable(it, key), it,
				line{attr: l.attr, secret: requiredSecret}, key)
		}
		fields = append(fields, rewrite.Key(key)+" = "+text)
	}
	return rewrite.Enclose(fields, true)
}

// writeMembers writes the map of a set, one line for each element.
func (p *puller) writeMembers(b *strings.Builder, g *page, it *item) {
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
		entries[p.memberKey(g, set, m)] = rewrite.Enclose(said, true)
		for _, n := range m.notes {
			it.notes = append(it.notes, note{n.attr, p.memberKey(g, set, m) + ": " + n.text})
		}
	}
	fmt.Fprintf(b, "%s = {\n", set.Attr)
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		fmt.Fprintf(b, "%s = %s\n", rewrite.Key(key), entries[key])
	}
	b.WriteString("}\n")
}

// singleLine returns a text for a comment: on one line, with � for what does not print, because
// some of it comes from the host.
func singleLine(s string) string {
	shown := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
	return strings.Join(strings.Fields(shown), " ")
}

// variableBlock returns the block of a variable for a secret: a line, or one key of a map. Its
// description shows the rest of a URL with a secret, because another URL may differ only in that.
func variableBlock(name string, it *item, l line, key string) string {
	typ, of, which, end := typeexpr.TypeString(l.attr.Type), l.attr.Name, "", "."
	if key != "" {
		typ, of = "string", of+"."+key
	}
	if l.redacted != "" {
		which = fmt.Sprintf(" (%s)", singleLine(l.redacted))
		if it.kind.Holds == schema.Many {
			which = fmt.Sprintf(" (id %s, %s)", it.obj.ID, singleLine(l.redacted))
		}
	}
	if l.secret == requiredSecret {
		end = ". It is required."
	}
	description := fmt.Sprintf("The %s of %s%s%s", of, it.address(), which, end)
	var b strings.Builder
	fmt.Fprintf(&b, "\nvariable %q {\n", name)
	fmt.Fprintf(&b, "description = %s\ntype = %s\nsensitive = true\n", rewrite.Expression(cty.StringVal(description)),
		typ)
	if l.secret == optionalSecret {
		b.WriteString("default = null # keeps the value on the host\n")
	} else {
		b.WriteString("# Set it to the value on the host, or to a new one, before you run hew plan.\n")
	}
	b.WriteString("}\n")
	return b.String()
}
