package docs

import (
	"fmt"
	"strings"

	"hew/schema/catalogue"
)

// integrations returns the page about integrations and their parameters.
func (r Reference) integrations() *Page {
	p := r.page(integrationsPage)
	p.heading(1, "Integrations")
	p.line("The arguments of the blocks %s and %s, by slug. Properties go into `properties`; events are arguments "+
		"of the block itself. "+
		"hew neither shows nor stores secrets, and hosts do not reveal them, so hew compares digests. "+
		"hew sends all properties with every change, because hosts require them.",
		p.link("integration", resourcePage("integration")),
		p.link("group_integration", resourcePage("group_integration")))
	p.line("\nWhat hewd does for an integration is one of these:\n")
	for _, class := range classes {
		p.line("- %s: %s.", class.name, class.meaning)
	}
	for _, i := range catalogue.Integrations() {
		p.heading(2, i.Slug)
		p.line("%s.%s%s hewd: %s.\n", i.Title, otherName(i.Alias), elsewhere(i), i.Action)
		var facts []fact
		for _, prop := range i.Parameters {
			facts = append(facts, fact{code(prop.Name), property(prop)})
		}
		if facts != nil {
			p.table("property", "meaning", facts)
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

// classes are what hewd does for integrations, by the word of the catalogue.
var classes = []struct{ name, meaning string }{
	{"sends", "it tells the service of the events that the flags select, and repeats what was not delivered"},
	{"build trigger", "it has the service build what was pushed, or sends it the payload of a webhook"},
	{"link only", "it keeps the settings, for links, CI jobs and commands of chats, and sends nothing"},
	{"refused", "the integration cannot be set up, because it needs an application that hewd does not have"},
}

func otherName(alias string) string {
	if alias == "" {
		return ""
	}
	return " Also called " + code(alias) + "."
}

func elsewhere(i catalogue.Integration) string {
	if i.Elsewhere() {
		return " Install it in the browser: hew can change it, but not create it."
	}
	return ""
}

// property returns the description of a parameter.
func property(p catalogue.Parameter) string {
	notes := []string{p.Doc}
	add := func(holds bool, note string) {
		if holds {
			notes = append(notes, note)
		}
	}
	add(p.Required, "Required.")
	add(p.Secret, "Secret.")
	add(p.Type == catalogue.Boolean, "A bool.")
	add(p.Type == catalogue.Integer && len(p.Enum) == 0, "A number.")
	add(p.Type == catalogue.Texts, "A list.")
	add(len(p.Enum) > 0 && p.Type == catalogue.Texts, "Any of: "+strings.Join(p.Enum, ", ")+".")
	add(len(p.Enum) > 0 && p.Type != catalogue.Texts, "One of: "+strings.Join(p.Enum, ", ")+".")
	add(p.Default != nil, fmt.Sprintf("Default: %v.", p.Default))
	add(p.Alias != "", "Also called "+code(p.Alias)+".")
	return strings.Join(notes, " ")
}
