package client

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hew/schema/pattern"
)

const masked = "(secret)"

var (
	userinfo  = pattern.Lazy(`://[^/@\s"']+@`)
	sensitive = pattern.Lazy(`(?i)token|password|secret|key|credential|authorization`)
)

// ownSecrets returns the forms of what every request is signed in with: the token, and the
// credentials in the base URL.
func ownSecrets(token string, host *url.URL) []string {
	forms := secretForms(token)
	if password, ok := host.User.Password(); ok {
		forms = append(forms, secretForms(password)...)
		forms = append(forms, base64.StdEncoding.EncodeToString([]byte(host.User.Username()+":"+password)))
	}
	return forms
}

// redact masks what a text from elsewhere may carry: our own secrets and the
// userinfo of URLs. Hosts do echo both.
func (c *Client) redact(text string) string {
	for _, form := range c.secrets {
		text = strings.ReplaceAll(text, form, masked)
	}
	return userinfo().ReplaceAllString(text, "://"+masked+"@")
}

// shortestMasked is how long a secret has to be to be masked in all that a host answers. Shorter
// ones occur in other words.
const shortestMasked = 8

// redactBody masks our own secrets in an answer. A host that puts them into names and descriptions
// would have them in plans, which more people read than may know them.
func (c *Client) redactBody(body []byte) []byte {
	for _, form := range c.secrets {
		if len(form) >= shortestMasked && bytes.Contains(body, []byte(form)) {
			body = bytes.ReplaceAll(body, []byte(form), []byte(masked))
		}
	}
	return body
}

// Hide masks a secret that was sent wherever the host's words repeat it: as it is, on one line as
// messages are, or within a quoted text or an address.
func (e *Error) Hide(secret string) {
	for _, form := range secretForms(secret) {
		e.Rewrite(func(text string) string { return strings.ReplaceAll(text, form, masked) })
	}
}

// Rewrite replaces the host's words: the message, and the complaints by field.
func (e *Error) Rewrite(f func(string) string) {
	e.Message = f(e.Message)
	for _, complaints := range e.Fields {
		for i := range complaints {
			complaints[i] = f(complaints[i])
		}
	}
}

// secretForms returns the forms in which texts repeat a secret; none if it is "".
func secretForms(secret string) []string {
	if secret == "" {
		return nil
	}
	quoted := strings.Trim(strconv.Quote(secret), `"`)
	forms := []string{secret, fold(secret), quoted, fold(quoted), url.QueryEscape(secret), url.PathEscape(secret)}
	return slices.DeleteFunc(forms, func(form string) bool { return form == "" })
}

// redactQuery prints a query with the values of secret parameters masked.
func (c *Client) redactQuery(query url.Values) string {
	parts := make(url.Values, len(query))
	for name, values := range query {
		// The cursors of a listing are no secrets, and without them a log cannot be followed.
		if sensitive().MatchString(name) && name != "page_token" {
			values = []string{masked}
		}
		parts[name] = values
	}
	text, _ := url.QueryUnescape(parts.Encode())
	return c.redact(text)
}
