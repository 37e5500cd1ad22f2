package hook

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/textproto"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"hew/server/db"
	"hew/server/outbound"
)

// The request of a delivery: address, header and body, with the secrets of the hook in plain text.

// maxBody limits the body of a delivery, in bytes.
const maxBody = 25 << 20

var errTooLarge = errors.New("the payload has more than 25 MB")

// hookRequest is a request to a receiver, and the form of it that is recorded.
type hookRequest struct {
	outbound.Request
	insecure bool
	shown    map[string]string // the header without its secrets
	redact   *Redactor         // removes the secrets from the answer
}

// newHookRequest returns the request of a hook with its secrets in plain text. The fields of header
// override the hook's own.
func newHookRequest(st *db.Store, h Hook, header []outbound.Field, body json.RawMessage) (hookRequest, error) {
	r := hookRequest{insecure: !h.EnableSSLVerification, shown: map[string]string{}}
	address, secrets, err := hookAddress(st, h)
	if err != nil {
		return r, err
	}
	token, err := PlainToken(st, h)
	if err != nil {
		return r, err
	}
	secrets = append(secrets, token)
	for _, v := range h.CustomHeaders {
		value, err := PlainValue(st, h, v)
		if err != nil {
			return r, err
		}
		secrets, r.Header = append(secrets, value), append(r.Header, outbound.Field{Name: v.Key, Value: value})
		r.show(v.Key, redactedText)
	}
	for _, f := range header {
		r.Header = append(r.Header, f)
		r.show(f.Name, f.Value)
	}
	if token != "" {
		r.Header = append(r.Header, outbound.Field{Name: tokenHeader, Value: token})
		r.show(tokenHeader, redactedText)
	}
	r.URL = address
	r.redact = NewRedactor(append(secrets, credentialsOf(r.URL)...))
	if r.Body = body; h.CustomWebhookTemplate != "" {
		r.Body, err = fillTemplate(h.CustomWebhookTemplate, body)
	}
	if len(r.Body) > maxBody {
		err = errTooLarge
	}
	return r, err
}

// hookAddress returns the address of a hook with its variables filled in, and their values.
func hookAddress(st *db.Store, h Hook) (address string, values []string, err error) {
	if address, err = PlainURL(st, h); err != nil {
		return "", nil, err
	}
	var pairs []string
	for _, v := range h.URLVariables {
		value, err := PlainValue(st, h, v)
		if err != nil {
			return "", nil, err
		}
		pairs, values = append(pairs, "{"+v.Key+"}", value), append(values, value)
	}
	return strings.NewReplacer(pairs...).Replace(address), values, nil
}

const tokenHeader = "X-Gitlab-Token"

func (r *hookRequest) show(name, value string) {
	r.shown[textproto.CanonicalMIMEHeaderKey(name)] = value
}

// credentialsOf returns the secrets that an address contains: the password, or the name where there
// is none, and the Basic credentials.
func credentialsOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return nil
	}
	name := u.User.Username()
	password, _ := u.User.Password()
	basic := base64.StdEncoding.EncodeToString([]byte(name + ":" + password))
	if password == "" {
		password = name
	}
	return []string{password, basic}
}

var placeholder = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_.-]+)\s*\}\}`)

// fillTemplate fills parts of the payload into a template: {{a.b}} is the member b of a, {{a.0}}
// the first element of a list. A text is filled in without quotes, anything else as JSON. It fails
// if the result is not valid JSON.
func fillTemplate(template string, payload json.RawMessage) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	var text strings.Builder
	end := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(template, -1) {
		value, err := textOf(root, template[at[2]:at[3]])
		if err != nil {
			return nil, err
		}
		text.WriteString(template[end:at[0]])
		// Every field may be the whole payload: stop before the text exceeds the limit.
		if text.Len()+len(value) > maxBody {
			return nil, errTooLarge
		}
		text.WriteString(value)
		end = at[1]
	}
	text.WriteString(template[end:])
	if !json.Valid([]byte(text.String())) {
		return nil, errors.New("the custom webhook template does not make valid JSON")
	}
	return json.RawMessage(text.String()), nil
}

// textOf returns the text that a template shows for a part of a value.
func textOf(root any, path string) (string, error) {
	at := root
	for step := range strings.SplitSeq(path, ".") {
		at = member(at, step)
	}
	if s, ok := at.(string); ok {
		return escapeJSON(s), nil
	}
	encoded, err := db.EncodeJSON(at)
	return string(encoded), err
}

// member returns a part of a value, nil if there is none.
func member(of any, name string) any {
	switch v := of.(type) {
	case map[string]any:
		return v[name]
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}
