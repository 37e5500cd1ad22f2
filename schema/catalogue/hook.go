package catalogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hew/schema/pattern"
)

// How many custom headers and URL variables a hook may have (gaps §4.4).
const (
	MostHookHeaders   = 20
	MostHookVariables = 100
)

// mostHookSecret is how many bytes a token may have, and the value of a header or variable.
const mostHookSecret = 2048

var (
	headerName   = pattern.Lazy(`^[A-Za-z0-9-]{1,255}$`)
	variableName = pattern.Lazy(`^[A-Za-z_][A-Za-z0-9_.-]{0,254}$`)
)

// travelling are headers that say how a request travels: they are the sender's, and would be
// dropped in silence.
var travelling = []string{"connection", "content-length", "host", "te", "trailer", "transfer-encoding", "upgrade"}

// CheckHookHeader says what is wrong with a custom header of a hook, if anything, without telling
// its value.
func CheckHookHeader(name, value string) error {
	switch {
	case !headerName().MatchString(name):
		return fmt.Errorf("%q is no name of a header: letters, digits and - are accepted, up to 255 of them", name)
	case slices.Contains(travelling, strings.ToLower(name)):
		return fmt.Errorf(
			"the header %s cannot be chosen: it says how a request travels, so the host that sends it sets it", name,
		)
	}
	if err := CheckHookToken(value); err != nil {
		return fmt.Errorf("the header %s: %w", name, err)
	}
	return nil
}

// CheckHookToken says what is wrong with the token of a hook, or with what else is the value of a
// header, if anything.
func CheckHookToken(value string) error {
	switch {
	case len(value) > mostHookSecret:
		return fmt.Errorf("it has %d bytes, at most %d are accepted", len(value), mostHookSecret)
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return fmt.Errorf("it has control characters, line ends perhaps, which no header can carry")
	}
	return nil
}

// CheckHookVariable says what is wrong with a URL variable of a hook, if anything, without telling
// its value.
func CheckHookVariable(name, value string) error {
	switch {
	case !variableName().MatchString(name):
		return fmt.Errorf("%q is no name of a variable: letters, digits, _, - and . are accepted, up to 255 of them, "+
			"beginning with a letter or _", name)
	case len(value) > mostHookSecret:
		return fmt.Errorf("the variable %s: it has %d bytes, at most %d are accepted", name, len(value), mostHookSecret)
	}
	return nil
}

// field is what a template has filled in, as generously as any host reads it.
var field = pattern.Lazy(`\{\{.+?\}\}`)

// CheckHookTemplate says whether a custom template can become JSON at all (gaps §13.6). Hosts find
// out when they send, and by then every delivery fails. Within quotes a field is a text, and
// outside it is null, a number or whatever the event has: where none of these makes JSON, nothing
// does.
func CheckHookTemplate(template string) error {
	if template == "" {
		return nil
	}
	for _, filling := range []string{"null", "0", "", `{}`} {
		if json.Valid([]byte(field().ReplaceAllLiteralString(template, filling))) {
			return nil
		}
	}
	return fmt.Errorf("it does not make JSON, whatever its {{fields}} are: every delivery would fail. " +
		`Texts are in quotes, {"text":"{{object_kind}}"}, and there is no comma before a closing bracket`)
}
