package document

import (
	"regexp"
	"slices"
	"strings"
)

// variableReference finds $NAME, ${NAME} and %NAME%, and the doubled signs that stand for
// themselves.
var variableReference = regexp.MustCompile(
	`\$\$|%%|\$([a-zA-Z_][a-zA-Z0-9_]*)|\$\{([a-zA-Z_][a-zA-Z0-9_]*)\}|%([a-zA-Z_][a-zA-Z0-9_]*)%`)

// expandVariables replaces references by what the function makes of them. Values are not searched
// again. It returns false if the result is longer than a string may be.
func expandVariables(text string, replace func(reference, name string) string) (string, bool) {
	if !strings.ContainsAny(text, "$%") {
		return text, true
	}
	var b strings.Builder
	for b.Len() <= maxStringBytes {
		at := variableReference.FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return b.String(), b.Len() <= maxStringBytes
		}
		b.WriteString(text[:at[0]])
		reference := text[at[0]:at[1]]
		if reference == "$$" || reference == "%%" {
			b.WriteString(reference)
		} else {
			b.WriteString(replace(reference, strings.Trim(reference, "${}%")))
		}
		text = text[at[1]:]
	}
	return "", false
}

// expand puts the values of variables into a path. Unknown ones are empty.
func (r *Request) expand(text string) (string, bool) {
	return expandVariables(text, func(_, name string) string { return r.Variables[name].Value })
}

// newMask returns what hides the values of masked variables in texts. Longer values come first, as
// one may be a part of another.
func newMask(variables map[string]Variable) *strings.Replacer {
	var secrets []string
	for _, v := range variables {
		if v.Masked && v.Value != "" {
			secrets = append(secrets, v.Value)
		}
	}
	slices.SortFunc(secrets, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	const word = "[MASKED]"
	var pairs []string
	for _, secret := range secrets {
		if len(secret) < len(word) {
			pairs = append(pairs, secret, strings.Repeat("x", len(secret)))
		} else {
			pairs = append(pairs, secret, word+strings.Repeat("x", len(secret)-len(word)))
		}
	}
	return strings.NewReplacer(pairs...)
}
