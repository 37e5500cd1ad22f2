package hook

import (
	"net/url"
	"slices"
	"strings"

	"hew/server/db"
)

// minSecretLength is the length in bytes from which secrets are redacted. A shorter one protects
// nothing, and its text occurs everywhere.
const minSecretLength = 4

// Redactor hides secrets in every form that they have in texts, addresses and JSON.
type Redactor struct {
	*strings.Replacer
	forms []string
}

// NewRedactor returns a redactor of the secrets.
func NewRedactor(secrets []string) *Redactor {
	var forms []string
	for _, s := range secrets {
		if len(s) < minSecretLength {
			continue
		}
		forms = append(
			forms, s, url.QueryEscape(s), url.PathEscape(s), (&url.URL{Path: s}).EscapedPath(), escapeJSON(s),
		)
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) }) // longer forms before their prefixes
	var pairs []string
	for _, f := range slices.Compact(forms) {
		pairs = append(pairs, f, redactedText)
	}
	return &Redactor{strings.NewReplacer(pairs...), forms}
}

// cutPartialSecret removes the beginning of a secret at the end of a text that was cut off.
func (r *Redactor) cutPartialSecret(text string) string {
	end := len(text)
	for _, f := range r.forms {
		for n := min(len(f)-1, len(text)); n > 0; n-- {
			if strings.HasSuffix(text, f[:n]) {
				end = min(end, len(text)-n)
				break
			}
		}
	}
	return text[:end]
}

// escapeJSON returns a text as it is written between quotes in JSON.
func escapeJSON(text string) string {
	encoded, _ := db.EncodeJSON(text) // texts always encode
	return string(encoded[1 : len(encoded)-1])
}
