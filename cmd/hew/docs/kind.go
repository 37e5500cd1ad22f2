package docs

import (
	"slices"

	"hew/schema"
)

// resourcePage returns the path of a resource's page.
func resourcePage(name string) string { return "resources/" + name + ".md" }

// sourcePage returns the path of a data source's page.
func sourcePage(name string) string { return "data-sources/" + name + ".md" }

// resource returns the page of a resource.
func (r Reference) resource(name string) *Page {
	k := r.kinds.Resources[name]
	p := r.kindsPage(resourcePage(name), k)
	p.heading(1, "Resource "+code(name))
	p.line("%s", p.prose(k.Doc))
	if k.Need != "" {
		p.line("\nThe token needs the role %s.", k.Need)
	}
	if k.Gated {
		p.line("\nNot every host supports it: this depends on edition, license, version and settings.")
	}
	example(p, k)
	r.arguments(p, k)
	r.attributes(p, k, "The host sets these; other blocks can refer to them.")
	identity(p, k)
	p.heading(2, "Removal")
	p.line("%s\n", p.prose(k.Removal))
	if k.Holds != counts[schema.One] {
		p.line("The guard `adopted-delete` stops the plan if it would delete an object that hew adopted (see %s).",
			p.link("guards", guardsPage))
	}
	p.line("A `removed` block with `destroy = false` removes the object from the ledger only.")
	if k.Exclusive != "" {
		p.heading(2, "Exclusive")
		condition := "an exclusive block claims the collection"
		if k.Element != "" {
			condition = "`exclusive` is true"
		}
		p.line("hew leaves undeclared objects alone, unless %s. Then it deletes every undeclared object%s:\n",
			condition, except(k.Spared))
		p.code("hcl", k.Exclusive)
	}
	return p
}

// source returns the page of a data source.
func (r Reference) source(name string) *Page {
	k := r.kinds.Sources[name]
	p := r.kindsPage(sourcePage(name), k)
	p.heading(1, "Data source "+code(name))
	p.line("%s", p.prose(k.Doc))
	example(p, k)
	r.arguments(p, k)
	r.attributes(p, k, "Other blocks can refer to these.")
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

// arguments writes the arguments of a kind.
func (r Reference) arguments(p *Page, k Kind) {
	p.heading(2, "Arguments")
	if len(k.Key) > 1 && k.Removal == "" {
		p.line("Requires one of %s.\n", either(k.Key))
	}
	for _, mode := range []struct{ name, title, about string }{
		{"required", "Required", ""},
		{"optional", "Optional",
			"hew leaves omitted arguments alone. If you remove an argument that was applied, hew resets it to its " +
				"default; it clears a secret, and an argument without a default here keeps its value on the host."},
	} {
		list := k.attributesOf(mode.name)
		if len(list) == 0 {
			continue
		}
		p.heading(3, mode.title)
		if mode.about != "" && k.Removal != "" {
			p.line("%s\n", mode.about)
		}
		for _, a := range list {
			p.attribute(a, r)
		}
	}
	k.secrets(p)
	if slices.ContainsFunc(k.Attributes, Attribute.extra) {
		p.line("\nArguments marked \"extra request\" are missing from lists, so hew sends one more request for each " +
			"object that sets them.")
	}
}

// attributes writes the computed attributes of a kind.
func (r Reference) attributes(p *Page, k Kind, about string) {
	list := k.attributesOf("computed")
	if len(list) == 0 {
		return
	}
	p.heading(2, "Attributes")
	p.line("%s\n", about)
	for _, a := range list {
		p.attribute(a, r)
	}
}

// attributesOf returns the attributes of a mode, in the order of the table.
func (k Kind) attributesOf(mode string) []Attribute {
	return slices.DeleteFunc(slices.Clone(k.Attributes), func(a Attribute) bool { return a.Mode != mode })
}

// identity writes how a declared object is matched with an existing one.
func identity(p *Page, k Kind) {
	p.heading(2, "Adoption")
	if k.Element != "" {
		p.line("Each element is matched with an existing object like a %s. An existing object is adopted; no import "+
			"is needed.", p.link(code(k.Element), resourcePage(k.Element)))
		return
	}
	const adopted = "is adopted and its differences are shown; no import is needed."
	switch len(k.Key) {
	case 0:
		p.line("An existing object %s", adopted)
	case 1:
		p.line("The object is identified by %s. An existing object %s", either(k.Key), adopted)
	default:
		p.line("The object is identified by %s, or by %s if %s is not set. An existing object %s", code(k.Key[0]),
			either(k.Key[1:]), code(k.Key[0]), adopted)
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
	p.line("\nTo name an object explicitly, use an `import` block; its `id` is %s.", id)
}

func except(spared string) string {
	if spared == "" {
		return ""
	}
	return ", except " + spared
}
