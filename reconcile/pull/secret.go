package pull

import (
	"net/url"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/urlmask"
)

// secrecy tells whether a variable stands for a value: because the host hides the value, or because
// it does not belong into a file, such as a URL with a password.
type secrecy uint8

// The variable of a requiredSecret has no default.
const (
	notSecret secrecy = iota
	optionalSecret
	requiredSecret
)

// secretLine returns the line for a secret attribute, unless the host tells that it is not set.
func secretLine(o schema.Object, l line, known bool) (line, bool, string) {
	mustState := l.attr.Mode == schema.Required
	switch {
	case known && isEmpty(l.value):
		return l, mustState, ""
	case slices.Contains(o.Unset, l.attr.Name):
		return l, false, ""
	}
	l.presenceUnknown = !known
	return asVariable(l), true, ""
}

// asVariable returns the line with a variable instead of the value.
func asVariable(l line) line {
	if s := schema.Text(l.value); !l.attr.IsSecret() && s != "" && urlmask.Find(s) == s {
		l.redacted = urlmask.Redact(s)
	}
	l.value, l.secret = cty.NilVal, optionalSecret
	if l.attr.Mode == schema.Required {
		l.secret = requiredSecret
	}
	return l
}

// removeCredentials removes user and password from a URL if the attribute compares equal without
// them. Any other value with a secret in it becomes a variable, and hides is true.
func removeCredentials(l line) (_ line, hides bool) {
	s := schema.Text(l.value)
	if !containsSecret(l.value) {
		return l, false
	}
	if u, err := url.Parse(s); err == nil && u.User != nil {
		before, rest, _ := strings.Cut(s, "://")
		end := strings.IndexAny(rest+"/", "/?#")
		bare := before + "://" + rest[strings.LastIndex(rest[:end], "@")+1:]
		if !urlmask.HasSecret(bare) && l.attr.Equal(cty.StringVal(bare), l.value) {
			l.value = cty.StringVal(bare)
			return l, false
		}
	}
	return asVariable(l), true
}

// containsSecret reports whether a string anywhere in v, such as in a list, holds a URL with a
// secret.
func containsSecret(v cty.Value) (found bool) {
	_ = cty.Walk(v, func(_ cty.Path, part cty.Value) (bool, error) { // the function returns no error
		found = found || urlmask.HasSecret(schema.Text(part))
		return !found, nil
	})
	return found
}
