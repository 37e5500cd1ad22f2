package docs

import (
	"fmt"
	"strings"

	"hew/schema/catalogue"
)

// integrations are the services of the kind integration, with all that each takes.
func (r Reference) integrations() *Page {
	p := r.page(integrationsPage)
	p.heading(1, "Integrations")
	p.line("What a block %s or %s may state, by its slug. Properties go into `properties`, events are arguments of the block itself. "+
		"Secrets are neither shown nor stored; hosts do not tell them, so a change of one is known by its digest. "+
		"All properties that are stated are sent with every change, because hosts ask for them.",
		p.link("integration", resourcePage("integration")), p.link("group_integration", resourcePage("group_integration")))
	for _, i := range catalogue.Integrations() {
		p.heading(2, i.Slug)
		p.line("%s.%s%s\n", i.Title, otherName(i.Alias), elsewhere(i))
		var facts []fact
		for _, prop := range i.Parameters {
			facts = append(facts, fact{code(prop.Name), property(prop)})
		}
		if facts != nil {
			p.table("property", "is", facts)
		}
		if len(i.Flags) > 0 {
			names := make([]string, len(i.Flags))
			for n, f := range i.Flags {
				names[n] = code(f.Name)
			}
			p.line("\nEvents: %s.", strings.Join(names, ", "))
		}
	}
	return p
}

func otherName(alias string) string {
	if alias == "" {
		return ""
	}
	return " Another name of it is " + code(alias) + "."
}

func elsewhere(i catalogue.Integration) string {
	if i.Elsewhere() {
		return " It is installed in the browser; what is there can be changed, and nothing can be created."
	}
	return ""
}

// property is all that is to be said of one.
func property(p catalogue.Parameter) string {
	notes := []string{p.Doc}
	add := func(holds bool, note string) {
		if holds {
			notes = append(notes, note)
		}
	}
	add(p.Required, "Required.")
	add(p.Secret, "Secret.")
	add(p.Type == catalogue.Boolean, "True or false.")
	add(p.Type == catalogue.Integer && len(p.Enum) == 0, "A number.")
	add(p.Type == catalogue.Texts, "A list.")
	add(len(p.Enum) > 0, "Any of: "+strings.Join(p.Enum, ", ")+".")
	add(p.Default != nil, fmt.Sprintf("By default %v.", p.Default))
	add(p.Alias != "", "Another name of it is "+code(p.Alias)+".")
	return strings.Join(notes, " ")
}
