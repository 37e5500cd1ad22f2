package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// alias returns the description of a type of Terraform.
func (r Reference) alias(p *Page, a *schema.Alias) string {
	if a.Cases != nil {
		var all []string
		for _, word := range slices.Sorted(maps.Keys(a.Cases)) {
			all = append(
				all, fmt.Sprintf("With %s: ", code(fmt.Sprintf("%s = %q", a.By, word)))+r.alias(p, a.Cases[word]),
			)
		}
		return strings.Join(all, "\n\n")
	}
	to := resourcePage(a.Kind.Name)
	if strings.HasPrefix(a.Type, "data.") {
		to = sourcePage(a.Kind.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "In hew, this is %s", p.link(code(a.Kind.Name), to))
	for name, v := range a.Fixed {
		fmt.Fprintf(&b, " with %s", code(name+" = "+schema.Encode(v)))
	}
	b.WriteString(".")
	if a.ID != "" && a.ID != "-" {
		fmt.Fprintf(&b, " Its `id` is %s.", code(a.ID))
	}
	if a.Note != "" {
		b.WriteString(" " + p.prose(a.Note))
	}
	b.WriteString("\n\n")
	lines := newSections()
	for i := range a.Names {
		n := &a.Names[i]
		if !n.Alike && (n.Name != n.Attr || n.Way+n.Note != "" || n.Default != cty.NilVal) {
			lines.add(n.Name, apart(p, n))
		}
		for k := range n.Fields {
			if f := &n.Fields[k]; !f.Alike {
				lines.add(n.Name+"."+f.Name, apart(p, f))
			}
		}
	}
	lines.items(&b)
	return strings.TrimRight(b.String(), "\n")
}

// apart says what is different about an attribute.
func apart(p *Page, n *schema.Naming) string {
	switch {
	case n.Attr == "" && n.Refused:
		return "an error" + reason(p, n.Note)
	case n.Attr == "":
		return "not managed" + reason(p, n.Note)
	case n.Shape == schema.Beside:
		return fmt.Sprintf("the block is a %s of its own, by the name of the block that it stands in.", code(n.Attr))
	}
	text := code(n.Attr)
	switch {
	case n.Part != "":
		text = "a part of " + text
	case n.Shape != schema.Argument:
		text += ", as a block"
	}
	if n.Way != "" {
		text += ", " + n.Way
	}
	if n.Shown {
		text += ", to refer to"
	}
	if n.Default != cty.NilVal {
		text += "; " + code(schema.Encode(n.Default)) + " where nothing is stated"
	}
	return text + reason(p, n.Note)
}

// reason ends a sentence, with a reason if there is one.
func reason(p *Page, note string) string {
	if note == "" {
		return "."
	}
	return ": " + p.prose(note) + "."
}
