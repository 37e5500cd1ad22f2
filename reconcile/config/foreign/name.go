package foreign

import (
	"fmt"

	"hew/reconcile/didyoumean"
	"hew/schema"
)

// Names returns the names that expressions can use for a block's attributes.
func Names(a *schema.Alias) (names []string) {
	for i := range a.Names {
		if n := &a.Names[i]; HasValue(a, n) {
			names = append(names, n.Name)
		}
	}
	return names
}

// Has reports whether expressions can use a name for an attribute.
func Has(a *schema.Alias, name string) bool { return HasValue(a, a.Naming(name)) }

// HasValue reports whether a name stands for an attribute of the kind.
func HasValue(a *schema.Alias, n *schema.Naming) bool { return n != nil && a.Kind.Attr(n.Attr) != nil }

// Attr returns the kind's attribute that a name stands for, or the name itself
// where the alias does not have it.
func Attr(a *schema.Alias, name string) string {
	if n := a.Naming(name); n != nil {
		return n.Attr
	}
	return name
}

// Attrs returns the kind's attributes that the value of a name is made of.
func Attrs(a *schema.Alias, name string) []string {
	attrs := []string{Attr(a, name)}
	if name == "id" {
		attrs = append(attrs, a.Parts()...)
	}
	return attrs
}

// NoAttribute returns an error detail: the type has no attribute of that name, and
// why, or what it may be called.
func NoAttribute(a *schema.Alias, typ, name string) string {
	text := fmt.Sprintf("%s has no attribute %q", typ, name)
	n := a.Naming(name)
	switch {
	case n != nil && n.Shape == schema.Beside:
		return fmt.Sprintf("%s: the block is an object of its own here; refer to %s.NAME, with the name of the %s, "+
			"instead.", text, n.Attr, typ)
	case n != nil && n.Note != "":
		return text + Reason(n.Note)
	}
	if n := a.For(name); n != nil {
		return text + ". " + calledHere(n)
	}
	return text + "." + didyoumean.Hint(name, Names(a))
}

// RenamedHint returns what an alias calls the kind's attribute of that name, as a
// sentence, or "".
func RenamedHint(a *schema.Alias, attr string) string {
	if n := a.For(attr); n != nil {
		return calledHere(n)
	}
	return ""
}

func calledHere(n *schema.Naming) string { return fmt.Sprintf("In Terraform it is called %q.", n.Name) }

// SuggestType returns a type that a misspelt one of Terraform's probably stands
// for, as a sentence to append. prefix is DataPrefix for data sources, else "". ok
// is false for a type that is not in Terraform's form.
func SuggestType(kinds schema.Catalog, typ, prefix string) (hint string, ok bool) {
	if !isHostType(typ) || len(kinds.Aliases()) == 0 {
		return "", false
	}
	return didyoumean.Hint(typ, typeNames(kinds, prefix)), true
}
