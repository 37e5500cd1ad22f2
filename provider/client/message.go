package client

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hew/schema/pattern"
)

// The host has a dozen shapes of error bodies (gaps §1.1). All of them come down
// to texts, some under the name of a field: describe walks the JSON once and
// collects both, then makes one line of them.

const (
	longestMessage = 500     // bytes; error pages of proxies can be any size
	longestError   = 1 << 20 // bytes of a body that are looked at
)

var (
	tag       = pattern.Lazy(`(?s)<(script|style|head)\b.*?</(script|style|head)>|<[^>]*>`)
	inspected = pattern.Lazy(`:?"?([a-z_.]+)"?\s*(?:=>|:)\s*\[((?:"[^"]*"(?:,\s*)?)+)\]`)
	quotation = pattern.Lazy(`"([^"]*)"`)
)

// describe fills Message, Fields, Need and NoRoute from the body of an answer.
func (e *Error) describe(body []byte) {
	body = body[:min(len(body), longestError)]
	var tree map[string]any
	if json.Unmarshal(body, &tree) != nil {
		e.Message = fold(tag().ReplaceAllString(string(body), " "))
		return
	}
	message, isMessage := tree["message"]
	text, isError := tree["error"].(string)
	detail, isToken := tree["error_description"].(string)
	switch {
	case isToken:
		e.Message = detail + " (" + text + ")"
		if scope, _ := tree["scope"].(string); scope != "" {
			e.Message, e.Need = text, "a token with the scope "+strings.Join(strings.Fields(scope), " or ")
		}
	case isMessage:
		e.Message = e.collect("", message)
	case isError:
		e.Message = text
		// Handlers answer "message"; only the router says these under "error".
		e.NoRoute = e.Status == http.StatusNotFound && text == "404 Not Found" ||
			e.Status == http.StatusMethodNotAllowed && text == "405 Not Allowed"
	default:
		e.Message = e.collect("", tree["errors"])
	}
	e.Message = fold(e.Message)
}

// collect returns a part of a body as text and notes the complaints of fields.
func (e *Error) collect(field string, part any) string {
	switch part := part.(type) {
	case nil:
		return ""
	case map[string]any:
		var texts []string
		for _, name := range slices.Sorted(maps.Keys(part)) {
			under := strings.TrimPrefix(field+"."+name, ".")
			if under == "error" || under == "base" { // not names of fields
				under = field
			}
			texts = append(texts, e.collect(under, part[name]))
		}
		return strings.Join(texts, "; ")
	case []any:
		var texts []string
		for _, element := range part {
			if _, nested := element.(map[string]any); nested {
				texts = append(texts, e.collect(field, element))
				continue
			}
			texts = append(texts, e.note(field, fmt.Sprint(element)))
		}
		text := strings.Join(texts, ", ")
		if field != "" {
			return field + ": " + text
		}
		return text
	case string:
		if field != "" {
			return field + ": " + e.note(field, part)
		}
		return e.inspect(part)
	default:
		return fmt.Sprint(part)
	}
}

// note files a complaint under its field and returns it.
func (e *Error) note(field, text string) string {
	if field != "" {
		if e.Fields == nil {
			e.Fields = map[string][]string{}
		}
		e.Fields[field] = append(e.Fields[field], text)
	}
	return text
}

// inspect finds the fields in a text that a host made by printing a hash:
// Failed to save group {:path=>["has already been taken"]}.
func (e *Error) inspect(text string) string {
	head, hash, found := strings.Cut(text, "{")
	if !found || !strings.HasPrefix(head, "Failed to ") {
		return text
	}
	var texts []string
	for _, match := range inspected().FindAllStringSubmatch(hash, -1) {
		var complaints []any
		for _, q := range quotation().FindAllStringSubmatch(match[2], -1) {
			complaints = append(complaints, q[1])
		}
		texts = append(texts, e.collect(match[1], complaints))
	}
	if texts == nil {
		return text
	}
	return strings.TrimSpace(head) + ": " + strings.Join(texts, "; ")
}

// fold puts a text on one line.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }

// short cuts what no terminal wants to show, and writes characters that would do something there
// as they are written in Go. It comes last, for a secret that is cut off is not found any more.
func short(text string) string {
	if len(text) > longestMessage {
		text = strings.ToValidUTF8(text[:longestMessage], "") + " …"
	}
	if !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unprintable(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
