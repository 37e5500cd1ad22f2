package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config/foreign"
	"hew/reconcile/didyoumean"
	"hew/schema"
	"hew/schema/pattern"
)

// readBody reads a body by its schema. It replaces HCL's errors with ones that name the
// block and what it supports, and reports a misspelt argument once, not as an unexpected
// and a missing one.
func (l *loader) readBody(body hcl.Body, s *hcl.BodySchema, what string, decl hcl.Range) (*hcl.BodyContent, bool) {
	content, diags := body.Content(s)
	if len(diags) == 0 {
		return content, true
	}
	l.explainBody(diags, s, schemaNames(s), what, decl)
	return content, false
}

// readAttributes reads a body that has only attributes.
func (l *loader) readAttributes(body hcl.Body, what string) hcl.Attributes {
	attrs, diags := body.JustAttributes()
	for _, d := range diags {
		if strings.HasPrefix(d.Summary, "Unexpected ") && strings.HasSuffix(d.Summary, " block") {
			d.Summary = "Unsupported block type"
			d.Detail = what + " supports only arguments. To set a map, use an equals sign: NAME = { … }."
		}
	}
	l.add(diags)
	return attrs
}

// parentBlocks has the blocks that can only be inside one other block, with that block.
var parentBlocks = map[string]string{
	"assert": "check", "guards": "hew", "ledger": "hew", "lifecycle": "resource",
	"precondition": "lifecycle", "postcondition": "lifecycle", "validation": "variable",
}

var (
	unexpectedSummaries = []string{"Unsupported argument", "Unsupported block type", "Extraneous JSON object property"}
	quotedName          = pattern.Lazy(`"([^"]+)"`)
)

// explainBody reports HCL's errors about a body in hew's words. names are what the body
// supports; the result has those of them that unexpected names probably stand for.
func (l *loader) explainBody(diags hcl.Diagnostics, s *hcl.BodySchema, names []string, what string,
	decl hcl.Range) (meant map[string]bool) {
	meant = map[string]bool{}
	secrets := l.secretNames()
	beside := slices.ContainsFunc(names, func(name string) bool { return slices.Contains(secrets, name) })
	for _, d := range diags {
		if d.Subject == nil || !slices.Contains(unexpectedSummaries, d.Summary) {
			continue
		}
		if d.Summary == "Extraneous JSON object property" { // JSON does not distinguish blocks from arguments
			d.Summary = "Unsupported argument"
		}
		word := strings.Trim(l.sourceText(*d.Subject), `"`)
		d.Detail = l.explainUnexpected(word, d.Summary, s, names, what)
		near := didyoumean.Nearest(word, names)
		meant[near] = true
		if beside || slices.Contains(secrets, word) {
			l.maskAfter(*d.Subject)
		}
	}
	for _, d := range diags {
		explainLabels(d, s)
		if d.Summary == "Missing required argument" {
			name := quotedName().FindStringSubmatch(d.Detail)[1]
			if meant[name] {
				continue
			}
			d.Subject, d.Detail = &decl, fmt.Sprintf("%s requires the argument %q. Add a line: %s = …", what, name,
				name)
		}
		l.add(hcl.Diagnostics{d})
	}
	return meant
}

// explainUnexpected returns the error detail for a name that a body does not support.
func (l *loader) explainUnexpected(word, summary string, s *hcl.BodySchema, names []string, what string) string {
	sort := "argument"
	if summary == "Unsupported block type" {
		sort = "block"
	}
	advice := foreign.Advice(word)
	switch {
	case sort == "block" && l.kinds.Resource(word) != nil && isRootSchema(s):
		return fmt.Sprintf("%s is a resource kind. Write resource %q \"NAME\" { … }.", word, word)
	case sort == "block" && isRootBlock(word) && !isRootSchema(s):
		return fmt.Sprintf("%s block must be at the top level of a file, not inside another block.", withArticle(word))
	case sort == "block" && parentBlocks[word] != "":
		return fmt.Sprintf(
			"%s block must be inside %s block.",
			withArticle(word),
			strings.ToLower(withArticle(parentBlocks[word])),
		)
	case advice != "":
		return advice
	case sort == "block" && hasAttribute(s, word):
		return fmt.Sprintf("%s is an argument of %s, not a block. Write %s = …", word, lowerFirst(what), word)
	case sort == "argument" && hasBlock(s, word):
		return fmt.Sprintf("%s is a block, not an argument. Write %s { … } without an equals sign.", word, word)
	}
	hint := didyoumean.Hint(word, names)
	if other := l.renamedHint(s, word); other != "" {
		hint = " " + other
	}
	switch {
	case hint == "" && isRootSchema(s) && sort == "argument":
		return fmt.Sprintf(
			"%s is outside of any block. The top level of a file supports only blocks. Expected: %s.",
			word, orList(names))
	case hint == "":
		hint = expectedNames(names)
	}
	return fmt.Sprintf("%s has no %s %q.%s", what, sort, word, hint)
}

// withArticle puts an indefinite article in front of a word, as at the start of a
// sentence.
func withArticle(word string) string {
	if strings.ContainsAny(word[:1], "aeiou") {
		return "An " + word
	}
	return "A " + word
}

func lowerFirst(s string) string {
	for _, article := range []string{"A", "An", "The"} {
		if strings.HasPrefix(s, article+" ") {
			return strings.ToLower(s[:1]) + s[1:]
		}
	}
	return s
}

// explainLabels rewrites HCL's errors about missing and extraneous labels, whose summaries
// are not constant.
func explainLabels(d *hcl.Diagnostic, s *hcl.BodySchema) {
	missing := strings.HasPrefix(d.Summary, "Missing ") && strings.Contains(d.Summary, " for ")
	_, typ, _ := strings.Cut(d.Summary, " for ")
	i := slices.IndexFunc(s.Blocks, func(b hcl.BlockHeaderSchema) bool { return b.Type == typ })
	if i < 0 || !missing && !strings.HasPrefix(d.Summary, "Extraneous label ") {
		return
	}
	d.Summary = "Extraneous block label"
	if missing {
		d.Summary = "Missing block label"
	}
	form := typ
	for _, name := range s.Blocks[i].LabelNames {
		form += fmt.Sprintf(" %q", strings.ToUpper(name))
	}
	d.Detail = fmt.Sprintf("Write the block as %s { … }.", form)
}

func hasAttribute(s *hcl.BodySchema, name string) bool {
	return slices.ContainsFunc(s.Attributes, func(a hcl.AttributeSchema) bool { return a.Name == name })
}

func hasBlock(s *hcl.BodySchema, name string) bool {
	return slices.ContainsFunc(s.Blocks, func(b hcl.BlockHeaderSchema) bool { return b.Type == name })
}

// schemaNames returns the names that a body supports. dynamic is in every schema only to
// get a better error.
func schemaNames(s *hcl.BodySchema) (names []string) {
	for _, a := range s.Attributes {
		names = append(names, a.Name)
	}
	for _, b := range s.Blocks {
		names = append(names, b.Type)
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "dynamic" })
}

// expectedNames returns the supported names, as a sentence to append.
func expectedNames(names []string) string {
	const few = 20
	switch n := len(names); {
	case n == 0:
		return " It supports no arguments and no blocks."
	case n > few:
		return " Run hew docs to see what each kind supports."
	}
	return fmt.Sprintf(" Expected: %s.", orList(names))
}

// sourceText returns the source at a range.
func (l *loader) sourceText(r hcl.Range) string {
	src := l.files[r.Filename]
	if !r.CanSliceBytes(src) {
		return ""
	}
	return string(r.SliceBytes(src))
}

// statedNames returns the names that a block of the kind supports, without what the host
// sets.
func statedNames(s *hcl.BodySchema, k *schema.Kind, alias *schema.Alias) []string {
	return slices.DeleteFunc(schemaNames(s), func(n string) bool {
		if alias != nil {
			if called := alias.Naming(n); called != nil {
				if called.Shown || called.Attr == "" {
					return true
				}
				n = called.Attr
			}
		}
		a := k.Attr(n)
		return a != nil && a.Mode == schema.Computed
	})
}
