package schema

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema/urlmask"
)

// Mask says what of an attribute's value is secret, or not shown by hosts. It is a
// [SecretValue], [SecretKeys] or [SecretPart].
type Mask interface{ mask() }

// SecretValue masks the whole value. It is never shown or stored.
type SecretValue struct {
	// Readable reports whether hosts show the secret to users who can change it. Other
	// secrets are never read back.
	Readable bool
}

// SecretKeys masks some keys of a map. Only the keys that are stated count, and
// hosts may leave some out.
type SecretKeys struct {
	// Hidden are the keys that hold secrets.
	Hidden []string
	// Open reports whether the value of a hidden key is not a secret. Nil is never.
	Open func(key string, v cty.Value) bool
	// Required returns the keys that an object cannot do without. Nil is none.
	Required func(Object) []string
}

// SecretPart masks a part of the value, such as the credentials in a URL. The
// canonical form leaves it out.
type SecretPart struct {
	// Whole returns the canonical form with that part. Digests, which are keyed then,
	// are of it: that is how a change of the part is noticed.
	Whole func(cty.Value) cty.Value
}

func (SecretValue) mask() {}
func (SecretKeys) mask()  {}
func (SecretPart) mask()  {}

// IsSecret reports whether the whole value is secret.
func (a *Attr) IsSecret() bool {
	_, is := a.Mask.(SecretValue)
	return is
}

// Readable reports whether the value is secret and hosts show it all the same.
func (a *Attr) Readable() bool {
	m, _ := a.Mask.(SecretValue)
	return m.Readable
}

// Partial reports whether the attribute is a map of which only stated keys count.
func (a *Attr) Partial() bool {
	_, is := a.Mask.(SecretKeys)
	return is
}

// HiddenKeys returns the keys of the map that hold secrets.
func (a *Attr) HiddenKeys() []string {
	m, _ := a.Mask.(SecretKeys)
	return m.Hidden
}

// RequiredKeys returns the keys of the map that the object cannot do without.
func (a *Attr) RequiredKeys(o Object) []string {
	if m, _ := a.Mask.(SecretKeys); m.Required != nil {
		return m.Required(o)
	}
	return nil
}

// HasSecretPart reports whether hosts hide a part of the value.
func (a *Attr) HasSecretPart() bool {
	_, is := a.Mask.(SecretPart)
	return is
}

// Veiled reports whether hosts may show less than what is stated.
func (a *Attr) Veiled() bool { return a.Partial() || a.HasSecretPart() }

// Published returns what may be shown or stored of a value: without what Public or a
// [SecretPart] leaves out, and without the secrets of URLs, whatever the attribute.
// Unknown, null and marked values are returned as they are.
func (a *Attr) Published(v cty.Value) cty.Value {
	switch {
	case v.IsMarked() || v.IsNull() || !v.IsKnown():
		return v
	case a.Public != nil:
		v = a.Public(v)
	case a.HasSecretPart():
		v = a.Canonical(v)
	}
	return redactURLs(v)
}

// redactURLs returns a value with the URLs among its strings redacted. URLs within longer
// strings are text that people wrote, and stay.
func redactURLs(v cty.Value) cty.Value {
	if !hasSecretURL(v) {
		return v
	}
	redacted, err := cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) {
		if isSecretURL(part) {
			return cty.StringVal(urlmask.Redact(part.AsString())), nil
		}
		return part, nil
	})
	if err != nil {
		return cty.NullVal(v.Type())
	}
	return redacted
}

// hasSecretURL reports whether a string in the value is a URL with a secret.
func hasSecretURL(v cty.Value) (found bool) {
	if t := v.Type(); t == cty.Bool || t == cty.Number {
		return false
	}
	_ = cty.Walk(v, func(_ cty.Path, part cty.Value) (bool, error) {
		found = found || isSecretURL(part)
		return !found && !part.IsMarked(), nil
	})
	return found
}

func isSecretURL(v cty.Value) bool {
	if v.IsMarked() || v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return false
	}
	s := v.AsString()
	return strings.Contains(s, "://") && urlmask.Find(s) == s && urlmask.HasSecret(s)
}

// Hides reports whether a key of the map holds a secret. What is marked as one is
// never asked whether it is.
func (a *Attr) Hides(key string, v cty.Value) bool {
	m, _ := a.Mask.(SecretKeys)
	return slices.Contains(m.Hidden, key) && (m.Open == nil || v.IsMarked() || !m.Open(key, v))
}

// Complete returns the canonical form with what hosts hide of it: what a Check
// looks at.
func (a *Attr) Complete(v cty.Value) cty.Value {
	bare, _ := v.UnmarkDeep()
	if m, is := a.Mask.(SecretPart); is && bare.IsWhollyKnown() && !bare.IsNull() {
		return m.Whole(bare)
	}
	return a.Canonical(v)
}

// Digested returns the canonical text that digests are of, and whether it may hold
// a secret.
func (a *Attr) Digested(v cty.Value) (text string, secret bool) {
	whole := a.Complete(v)
	return Encode(whole), a.IsSecret() || IsSecret(v) || a.Veiled() || hasSecretURL(whole)
}
