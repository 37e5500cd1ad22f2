package client

import (
	"net/url"
	"regexp"
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
	if c.token != "" {
		text = strings.ReplaceAll(text, c.token, masked)
	}
	return userinfo.ReplaceAllString(text, "://"+masked+"@")
}

// Hide masks a secret that was sent wherever the host's words repeat it: as it is, on one line as
// messages are, or within a quoted text or an address.
func (e *Error) Hide(secret string) {
	quoted := strings.Trim(strconv.Quote(secret), `"`)
	for _, form := range []string{secret, fold(secret), quoted, fold(quoted), url.QueryEscape(secret),
		url.PathEscape(secret)} {
		if form == "" {
			continue
		}
		e.Message = strings.ReplaceAll(e.Message, form, masked)
		for _, complaints := range e.Fields {
			for i := range complaints {
				complaints[i] = strings.ReplaceAll(complaints[i], form, masked)
			}
		}
	}
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
