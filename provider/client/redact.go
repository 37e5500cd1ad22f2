package client

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const masked = "(secret)"

var (
	userinfo  = regexp.MustCompile(`://[^/@\s"']+@`)
	sensitive = regexp.MustCompile(`(?i)token|password|secret|key|credential|authorization`)
)

// redact masks what a text from elsewhere may carry: our own token and the
// userinfo of URLs. Hosts do echo both.
func (c *Client) redact(text string) string {
	for _, form := range secretForms(c.token) {
		text = strings.ReplaceAll(text, form, masked)
	}
	return userinfo.ReplaceAllString(text, "://"+masked+"@")
}

// Hide masks a secret that was sent wherever the host's words repeat it: as it is, on one line as
// messages are, or within a quoted text or an address.
func (e *Error) Hide(secret string) {
	for _, form := range secretForms(secret) {
		e.Message = strings.ReplaceAll(e.Message, form, masked)
		for _, complaints := range e.Fields {
			for i := range complaints {
				complaints[i] = strings.ReplaceAll(complaints[i], form, masked)
			}
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
		if sensitive.MatchString(name) && name != "page_token" {
			values = []string{masked}
		}
		parts[name] = values
	}
	text, _ := url.QueryUnescape(parts.Encode())
	return c.redact(text)
}
