package docs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// Where the pages of kinds are.
func resourcePage(name string) string { return "resources/" + name + ".md" }
func sourcePage(name string) string   { return "data-sources/" + name + ".md" }

// resource is the page of a kind of resource.
func (r Reference) resource(name string) *Page {
	k := r.kinds.Resources[name]
	p := r.kindsPage(resourcePage(name), k)
	p.heading(1, "Resource "+code(name))
	p.line("%s", p.prose(k.Doc))
	if k.Need != "" {
		p.line("\nThe token needs the role %s.", k.Need)
	}
	if k.Gated {
		p.line("\nNot every host has it, by its edition, licence, version or settings.")
	}
	example(p, k)
	r.arguments(p, k)
	r.attributes(p, k, "The host sets these, and other blocks may refer to them.")
	identity(p, k)
	p.heading(2, "Removal")
	p.line("%s\n", p.prose(k.Removal))
	p.line("What was there before hew managed it is not deleted unasked: `adopted-delete` is one of the %s. A `removed` block with "+
		"`destroy = false` leaves everything as it is.", p.link("guards", guardsPage))
	if k.Exclusive != "" {
		p.heading(2, "Exclusive")
		p.line("What nobody declares is left alone, unless all of it is claimed. Then the rest is deleted%s:\n", except(k.Spared))
		p.code("hcl", k.Exclusive)
	}
	return p
}

// source is the page of a data source.
func (r Reference) source(name string) *Page {
	k := r.kinds.Sources[name]
	p := r.kindsPage(sourcePage(name), k)
	p.heading(1, "Data source "+code(name))
	p.line("%s", p.prose(k.Doc))
	example(p, k)
	r.arguments(p, k)
	r.attributes(p, k, "The answer, for other blocks to refer to.")
	return p
}

// example shows a kind as people would declare it. Kinds out of tree may lack that.
func example(p *Page, k Kind) {
	if k.Example != "" {
		p.heading(2, "Example")
		p.code("hcl", k.Example)
	}
}

func (r Reference) kindsPage(path string, k Kind) *Page {
	p := r.page(path)
	p.words = map[string]bool{}
	for _, a := range k.Attributes {
		p.words[a.Name] = true
	}
	return p
}

// arguments are what a block may state.
func (r Reference) arguments(p *Page, k Kind) {
	p.heading(2, "Arguments")
	if len(k.Key) > 1 && k.Removal == "" {
		p.line("One of %s says which.\n", either(k.Key))
	}
	for _, mode := range []struct{ name, title, about string }{
		{"required", "Required", ""},
		{"optional", "Optional", "An argument that is left out is left alone. One whose line is removed goes back to its default, a secret is " +
			"cleared, and where no default is given here it stays as it is on the host."},
	} {
		of := k.in(mode.name)
		if len(of) == 0 {
			continue
		}
		p.heading(3, mode.title)
		if mode.about != "" && k.Removal != "" {
			p.line("%s\n", mode.about)
		}
		for _, a := range of {
			p.attribute(a, r)
		}
	}
	if slices.ContainsFunc(k.Attributes, func(a Attribute) bool { return a.Secret }) {
		p.line("\nA secret is never shown or stored, and the host does not tell it. hew compares a keyed digest: it notices that you " +
			"changed it, and not that somebody else did.")
	}
	if slices.ContainsFunc(k.Attributes, Attribute.extra) {
		p.line("\nAn extra request is one for each object that states the argument, because lists leave it out.")
	}
}

// extra tells whether stating the attribute costs a request.
func (a Attribute) extra() bool { return a.Detail && a.Mode != modes[schema.Computed] }

// attributes are what only refers.
func (r Reference) attributes(p *Page, k Kind, about string) {
	of := k.in("computed")
	if len(of) == 0 {
		return
	}
	p.heading(2, "Attributes")
	p.line("%s\n", about)
	for _, a := range of {
		p.attribute(a, r)
	}
}

// in are the attributes of a mode, in the order of the table.
func (k Kind) in(mode string) []Attribute {
	return slices.DeleteFunc(slices.Clone(k.Attributes), func(a Attribute) bool { return a.Mode != mode })
}

// attribute is all that there is to know of one, in an item of a list.
func (p *Page) attribute(a Attribute, r Reference) {
	var traits []string
	switch {
	case a.Reference != "" && strings.HasPrefix(a.Type, "set("):
		traits = append(traits, "a list of references to "+p.link(code(a.Reference), r.kindPage(a.Reference)))
	case a.Reference != "":
		traits = append(traits, "reference to "+p.link(code(a.Reference), r.kindPage(a.Reference)))
	case a.Type != "any":
		traits = append(traits, code(a.Type))
	}
	if a.Default != nil {
		text, _ := json.Marshal(a.Default) // plain values never fail
		traits = append(traits, "default "+code(string(text)))
	}
	if a.Secret {
		traits = append(traits, "secret")
	}
	if a.extra() {
		traits = append(traits, "extra request")
	}
	about := []string{p.prose(listed(a.Doc, a.Values))}
	if !mentions(a.Doc, a.Values) {
		about = append(about, "It is "+either(a.Values)+".")
	}
	if a.Mode != "computed" {
		for _, said := range a.consequences() {
			about = append(about, p.prose(said))
		}
	}
	p.line("- %s%s: %s", code(a.Name), inBrackets(traits), strings.Join(about, " "))
}

// consequences say what can be stated, and what that brings about.
func (a Attribute) consequences() (said []string) {
	for _, s := range []string{a.Accepts, a.Alike} {
		if s != "" {
			said = append(said, s)
		}
	}
	if a.Fixed {
		said = append(said, "A new value makes a new object: the old one is deleted.")
	}
	if a.Once {
		said = append(said, "It counts only when the object is created.")
	}
	if a.Local {
		said = append(said, "It tells hew what to do, and the host nothing.")
	}
	if len(a.With) > 0 {
		said = append(said, fmt.Sprintf("Hosts forget it when %s changes, so it is sent again then.", either(a.With)))
	}
	return said
}

func inBrackets(traits []string) string {
	if len(traits) == 0 {
		return ""
	}
	return " (" + strings.Join(traits, ", ") + ")"
}

// mentions tells whether a text names all the words, which is better than a
// list because it says what they mean.
func mentions(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// identity says how a declared object and a live one are known to be one.
func identity(p *Page, k Kind) {
	p.heading(2, "Adoption")
	if k.Element != "" {
		p.line("Each element is recognised on the host by itself, as a %s. One that is there already is adopted, and there is nothing to "+
			"import.", p.link(code(k.Element), resourcePage(k.Element)))
		return
	}
	const adopted = "is adopted, its differences are shown, and there is nothing to import."
	switch len(k.Key) {
	case 0:
		p.line("What is on the host already %s", adopted)
	case 1:
		p.line("The object is recognised on the host by %s. One that is there already %s", either(k.Key), adopted)
	default:
		by := strings.Join(strings.Split(either(k.Key), " or "), " and ")
		p.line("The object is recognised on the host by the first of %s that it states. One that is there already %s", by, adopted)
	}
	if k.Twins != "" {
		p.line("\n%s", k.Twins)
	}
	if k.Holds == counts[schema.One] {
		return // an import of it is an error
	}
	id := "the object's id on the host"
	if len(k.Import) > 0 {
		id = either(k.Import) + ", or " + id
	}
	p.line("\nAn `import` block says which one is meant where that is not enough; its `id` is %s.", id)
}

func except(spared string) string {
	if spared == "" {
		return ""
	}
	return ", except " + spared
}
