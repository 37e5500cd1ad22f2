package pull

import (
	"net/url"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Nothing secret is written: not what hosts hide, nor what they show and should
// not be in a file, such as the password in an address.

// secrecy says what variable stands for a value.
type secrecy uint8

// A value is written, or a variable may have it, or has to have it.
const (
	open secrecy = iota
	optional
	required
)

// secretLine is the line on a secret, if there may be one.
func secretLine(o schema.Object, l line, told bool) (line, bool, string) {
	must := l.attr.Mode == schema.Required
	switch {
	case told && nothing(l.value):
		return l, must, "" // which is none
	case slices.Contains(o.Unset, l.attr.Name):
		return l, false, ""
	}
	l.untold = !told
	return hidden(l), true, ""
}

func hidden(l line) line {
	if s := schema.Text(l.value); !l.attr.IsSecret() && s != "" && addressed.FindString(s) == s {
		l.shown = blurred(s)
	}
	l.value, l.secret = cty.NilVal, optional
	if l.attr.Mode == schema.Required {
		l.secret = required
	}
	return l
}

// withoutSecrets takes credentials out of an address where it means the same
// without them, and hides what has a secret in another place.
func withoutSecrets(l line) (_ line, hides bool) {
	s := schema.Text(l.value)
	if !secretWithin(l.value) {
		return l, false
	}
	if u, err := url.Parse(s); err == nil && u.User != nil {
		before, rest, _ := strings.Cut(s, "://")
		end := strings.IndexAny(rest+"/", "/?#")
		bare := before + "://" + rest[strings.LastIndex(rest[:end], "@")+1:]
		if !secretText(bare) && l.attr.Equal(cty.StringVal(bare), l.value) {
			l.value = cty.StringVal(bare)
			return l, false
		}
	}
	return hidden(l), true
}

// secretWithin tells whether there is such a text in a value, as there may be in a
// list of addresses.
func secretWithin(v cty.Value) (found bool) {
	_ = cty.Walk(v, func(_ cty.Path, part cty.Value) (bool, error) { // which has no error
		found = found || secretText(schema.Text(part))
		return !found, nil
	})
	return found
}
