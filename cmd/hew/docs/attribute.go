package docs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// attribute writes a list item about an attribute.
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
		about = append(about, "Valid values are "+either(a.Values)+".")
	}
	if a.Mode != "computed" {
		for _, sentence := range a.consequences() {
			about = append(about, p.prose(sentence))
		}
	}
	p.line("- %s%s: %s", code(a.Name), inBrackets(traits), strings.Join(about, " "))
}

// consequences returns sentences about valid values and about what setting the attribute causes.
func (a Attribute) consequences() (sentences []string) {
	for _, s := range []string{a.Accepts, a.Alike} {
		if s != "" {
			sentences = append(sentences, s)
		}
	}
	if a.Fixed {
		sentences = append(sentences, "A new value replaces the object: hew deletes the old one.")
	}
	if a.Once {
		sentences = append(sentences, "It is sent only when the object is created.")
	}
	if a.Local {
		sentences = append(sentences, "It controls hew and is not sent to the host.")
	}
	if len(a.With) > 0 {
		sentences = append(
			sentences, fmt.Sprintf("Hosts clear it when %s changes, so hew sends it again.", either(a.With)),
		)
	}
	return sentences
}

func inBrackets(traits []string) string {
	if len(traits) == 0 {
		return ""
	}
	return " (" + strings.Join(traits, ", ") + ")"
}

// mentions reports whether a text has all the words, so that they need not be listed.
func mentions(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// secrets says how secrets are compared.
func (k Kind) secrets(p *Page) {
	hidden := func(a Attribute) bool { return a.Secret && !a.Readable }
	switch {
	case slices.ContainsFunc(k.Attributes, hidden):
		p.line("\nhew never shows or stores secrets, and the host does not reveal them. hew compares a keyed " +
			"digest, so it detects your changes to a secret, but not those of others.")
	case slices.ContainsFunc(k.Attributes, func(a Attribute) bool { return a.Secret }):
		p.line("\nhew never shows or stores secrets. It compares them with those on the host where the token can " +
			"read them.")
	}
}

// extra reports whether setting the attribute costs a request.
func (a Attribute) extra() bool { return a.Detail && a.Mode != modes[schema.Computed] }
