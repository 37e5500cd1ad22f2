package provider

import (
	_ "embed"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// The names that the Terraform provider for GitLab has for kinds and attributes,
// so that its configurations run as they are. terraform.tsv holds what differs:
// a line without an attribute is a type, "here" the kind, "how" its id where that
// is no number, "default" what the type itself says; every other line is one
// attribute of it, "a.b" being b in the block a. Types of one content share lines,
// a bar between them; of a type that is several kinds each is TYPE/WORD, the word
// being the value of the argument that "by" names. A dash says that there is no counterpart, and
// the note why.

//go:embed terraform.tsv
var terraformTable string

// terraformAliases reads the table for the kinds of a catalogue.
func terraformAliases(kinds schema.Catalog) []*schema.Alias {
	var all []*schema.Alias
	var types []string
	var next schema.Alias
	done := func() {
		for _, typ := range types {
			a := next
			a.Type, a.Names, a.Fixed = typ, append(cloneNamings(next.Names), integrationNamings(next)...),
				maps.Clone(next.Fixed)
			all = append(all, schema.NewAlias(a))
		}
	}
	for i, line := range strings.Split(strings.TrimSuffix(terraformTable, "\n"), "\n") {
		row := make([]string, 6)
		copy(row, strings.Split(line, "\t"))
		switch {
		case i == 0: // the head line
		case row[1] == "":
			done()
			types = strings.Split(row[0], "|")
			next = terraformType(kinds, row)
		case next.Kind != nil:
			terraformAttr(&next, row)
		}
	}
	done()
	return mergeCases(all)
}

// mergeCases makes one alias of the lines TYPE/WORD: the value of an argument decides
// of which kind a block is.
func mergeCases(all []*schema.Alias) (out []*schema.Alias) {
	cases := map[string]map[string]*schema.Alias{}
	for _, a := range all {
		typ, word, several := strings.Cut(a.Type, "/")
		switch {
		case !several:
			out = append(out, a)
		case a.Kind == nil:
		case cases[typ] == nil:
			cases[typ] = map[string]*schema.Alias{word: a}
		default:
			cases[typ][word] = a
		}
		a.Type = typ
	}
	for typ, of := range cases {
		out = append(out, schema.CaseOf(typ, of))
	}
	return out
}

func cloneNamings(names []schema.Naming) []schema.Naming {
	out := slices.Clone(names)
	for i := range out {
		out[i].Fields = slices.Clone(out[i].Fields)
	}
	return out
}

// integrationNamings returns the names of an integration's arguments, which hew has
// within properties.
func integrationNamings(a schema.Alias) (names []schema.Naming) {
	slug, ok := a.Fixed["slug"]
	if !ok || a.Kind == nil {
		return nil
	}
	of, _ := catalogue.IntegrationBySlug(slug.AsString())
	for _, p := range of.Parameters {
		if a.Naming(p.Name) != nil || a.Kind.Attr(p.Name) != nil {
			continue
		}
		n := schema.Naming{Name: p.Name, Attr: "properties", Part: p.Name, Secret: p.Secret, Alike: true}
		if n.In = unsetEmpty(p); p.Type == catalogue.Texts {
			n.In, n.Out = joinIn, joinOut
		}
		names = append(names, n)
	}
	return names
}

// terraformType reads the line of a type.
func terraformType(kinds schema.Catalog, row []string) schema.Alias {
	a := schema.Alias{ID: row[3], Note: row[5]}
	switch source := strings.HasPrefix(row[0], "data."); {
	case row[2] == "-":
		return a
	case source:
		a.Kind = kinds.Sources[row[2]]
	default:
		a.Kind = kinds.Resources[row[2]]
	}
	switch name, value, fixed := strings.Cut(row[4], "="); {
	case name == "by":
		a.By = value
	case fixed:
		a.Fixed = map[string]cty.Value{name: cty.StringVal(value)}
	}
	return a
}

// terraformAttr reads the line of an attribute.
func terraformAttr(a *schema.Alias, row []string) {
	n := schema.Naming{Name: row[1], Attr: row[2], Default: cty.NilVal, Note: row[5]}
	if n.Attr == "-" {
		n.Attr = ""
	}
	for _, word := range strings.Fields(row[3]) {
		how, of, _ := strings.Cut(word, "=")
		terraformHow[how](&n, of)
	}
	if row[4] != "" {
		n.Default = defaultValue(row[4])
	}
	block, field, within := strings.Cut(n.Name, ".")
	if !within {
		a.Names = append(a.Names, n)
		return
	}
	n.Name = field
	in := a.Naming(block)
	in.Fields = append(in.Fields, n)
}

// defaultValue reads a default of the table.
func defaultValue(text string) cty.Value {
	switch text {
	case "true", "false":
		return cty.BoolVal(text == "true")
	case "0":
		return cty.Zero
	}
	return cty.StringVal(text)
}

// terraformHow maps words of the table to conversions of values.
var terraformHow = map[string]func(n *schema.Naming, of string){
	"number":  func(n *schema.Naming, _ string) { n.Out = outAs(cty.Number) },
	"text":    func(n *schema.Naming, _ string) { n.Out = outAs(cty.String) },
	"old":     func(n *schema.Naming, _ string) { n.Old = true },
	"out":     func(n *schema.Naming, _ string) { n.Shown = true },
	"secret":  func(n *schema.Naming, _ string) { n.Secret = true },
	"refused": func(n *schema.Naming, _ string) { n.Refused = true },
	"level": func(n *schema.Naming, _ string) {
		n.In, n.Out, n.Way = levelIn, levelOut, "`no one` is `no_access`, `minimal` is `minimal_access`"
	},
	"levels": func(n *schema.Naming, of string) {
		n.In, n.Out, n.Way = levelsIn, levelsOut(of == "number"), "a list of levels"
	},
	"join": func(n *schema.Naming, _ string) { n.In, n.Out, n.Way = joinIn, joinOut, "a list of strings" },
	"pairs": func(n *schema.Naming, _ string) {
		n.In, n.Out, n.Way = pairsIn, pairsOut, "objects with a `key` and a `value`"
	},
	"last":    func(n *schema.Naming, _ string) { n.Out, n.Way = lastOut, "the last part" },
	"not":     func(n *schema.Naming, _ string) { n.In, n.Out, n.Way = notIn, notOut, "the negation" },
	"objects": func(n *schema.Naming, of string) { n.Out, n.Shown = objectsOut(of), true },
	"rows":    func(n *schema.Naming, of string) { n.Out, n.Shown = rowsOut(of), true },
	"slug":    func(n *schema.Naming, of string) { n.Of, n.In = of, slugIn },
	"off":     func(n *schema.Naming, of string) { n.Of, n.In = of, unsetBy },
	"of":      func(n *schema.Naming, of string) { n.Of = of },
	"part": func(n *schema.Naming, of string) {
		n.Part = of
		if n.Attr == "import_url" {
			n.Whole = importURL
		}
	},
	"block":  func(n *schema.Naming, _ string) { n.Shape = schema.Single },
	"blocks": func(n *schema.Naming, _ string) { n.Shape = schema.Repeated },
	"beside": func(n *schema.Naming, _ string) { n.Shape = schema.Beside },
}

// TerraformPrefix is the prefix of the Terraform provider's types.
const TerraformPrefix = "gitlab_"
