package client

import (
	"fmt"
	"net/url"
	"strings"

	"hew/schema/pattern"
)

// Path addresses one thing below /api/v4. It is made from a template whose
// variables are encoded exactly once, so that `acme/api` travels as `acme%2Fapi`.
type Path struct {
	encoded, template string
	err               error
}

var variable = pattern.Lazy(`\{[^}]*\}`)

// To fills the variables of a template in order:
//
//	To("projects/{project}/hooks/{id}", "acme/api", 7)
//
// Values are printed as fmt.Sprint does. An empty value, "." or ".." would
// address something else (DELETE projects//hooks), and too few or too many
// values are a slip: a request with such a path fails before it is sent.
func To(template string, values ...any) Path {
	used := 0
	p := Expand(template, func(string) string {
		used++
		if used > len(values) {
			return ""
		}
		return fmt.Sprint(values[used-1])
	})
	if p.err == nil && used < len(values) {
		p.err = fmt.Errorf("%d values for the %d variables of %s", len(values), used, template)
	}
	return p
}

// Expand is [To] with variables filled by name.
func Expand(template string, value func(name string) string) Path {
	p := Path{template: strings.Trim(template, "/")}
	p.encoded = variable().ReplaceAllStringFunc(p.template, func(name string) string {
		name = name[1 : len(name)-1]
		v := value(name)
		if v == "" || v == "." || v == ".." {
			p.err = fmt.Errorf("%s of %s is %q, which would address another object", name, p.template, v)
		}
		return encode(v)
	})
	return p
}

// String returns the path as it is sent, without a leading slash.
func (p Path) String() string { return p.encoded }

// Endpoint returns the template: the same for all things of one kind.
func (p Path) Endpoint() string { return p.template }

// encode escapes all that RFC 3986 does not call unreserved. A bare + would be
// legal in a path, but there are hosts that read it as a space.
func encode(part string) string {
	return strings.ReplaceAll(url.QueryEscape(part), "+", "%20")
}
