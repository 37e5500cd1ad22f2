package definition

import (
	"slices"
	"strconv"
	"strings"

	"hew/server/ci/document"
	"hew/server/work/duration"
)

// scalar returns the text of a scalar as variables have it, and reports whether a node is one. Null
// is the empty text.
func scalar(n *document.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	switch n.Kind {
	case document.Null:
		return "", true
	case document.Bool:
		return strconv.FormatBool(n.Bool), true
	case document.Int:
		return strconv.FormatInt(n.Int, 10), true
	case document.Float:
		return floatText(n.Float), true
	case document.String:
		return n.Text, true
	}
	return "", false
}

// floatText writes a number with a fraction, as in "1.0" and "1.0e+20".
func floatText(f float64) string {
	format := byte('f')
	if f != 0 && (f < 1e-4 && f > -1e-4 || f >= 1e16 || f <= -1e16) {
		format = 'e'
	}
	text := strconv.FormatFloat(f, format, -1, 64)
	mantissa, exponent, found := strings.Cut(text, "e")
	if !strings.ContainsAny(mantissa, ".IN") {
		mantissa += ".0"
	}
	if found {
		return mantissa + "e" + exponent
	}
	return mantissa
}

// keys reports keys of a map that are not allowed.
func (e entry) keys(allowed ...string) {
	var unknown []string
	for _, given := range e.node.Entries {
		if !slices.Contains(allowed, given.Key) {
			unknown = append(unknown, given.Key)
		}
	}
	if unknown != nil {
		e.fail("contains unknown keys: %s", strings.Join(unknown, ", "))
	}
}

// text returns a string, "" if none is given.
func (e entry) text() string {
	if e.given() && !e.is(document.String) {
		e.fail("should be a string")
	}
	if !e.is(document.String) {
		return ""
	}
	return e.node.Text
}

// requiredText returns a string that must be given and not be empty.
func (e entry) requiredText() string {
	if !e.given() || e.is(document.String) && strings.TrimSpace(e.node.Text) == "" {
		e.fail("can't be blank")
		return ""
	}
	return e.text()
}

// atMost reports a text that is too long, in characters.
func (e entry) atMost(text string, limit int) string {
	if len([]rune(text)) > limit {
		e.fail("is too long (maximum is %d characters)", limit)
	}
	return text
}

// boolean returns a boolean value, false if none is given.
func (e entry) boolean() bool {
	if e.given() && !e.is(document.Bool) {
		e.fail("should be a boolean value")
	}
	return e.is(document.Bool) && e.node.Bool
}

// optionalBoolean returns nil if no value is given.
func (e entry) optionalBoolean() *bool {
	if !e.given() {
		return nil
	}
	value := e.boolean()
	return &value
}

// strings returns a list of strings, nil if none is given.
func (e entry) strings() []string {
	list, ok := stringsOf(e.node)
	if e.given() && !ok {
		e.fail("should be an array of strings")
	}
	return list
}

// stringOrStrings returns a list of strings, which may be written as one string.
func (e entry) stringOrStrings() []string {
	if e.is(document.String) {
		return []string{e.node.Text}
	}
	list, ok := stringsOf(e.node)
	if e.given() && !ok {
		e.fail("should be an array of strings or a string")
	}
	return list
}

func stringsOf(n *document.Node) ([]string, bool) {
	if n == nil || n.Kind != document.List {
		return nil, false
	}
	list := make([]string, len(n.Items))
	for i, item := range n.Items {
		if item == nil || item.Kind != document.String {
			return nil, false
		}
		list[i] = item.Text
	}
	return list, true
}

// oneOf returns a string that is one of the values, "" if none is given.
func (e entry) oneOf(message string, values ...string) string {
	text, ok := scalar(e.node)
	if !e.given() {
		return ""
	}
	if !ok || !slices.Contains(values, text) {
		e.fail("%s", message)
		return ""
	}
	return text
}

func shouldBeOneOf(values ...string) string { return "should be one of: " + strings.Join(values, ", ") }

// seconds returns a duration, 0 if none is given or it is not valid. Limit is the longest, in
// seconds; 0 is none.
func (e entry) seconds(limit int64) int64 {
	if !e.given() {
		return 0
	}
	seconds, ok := int64(0), false
	if e.is(document.String) {
		seconds, ok = duration.ParseCalendar(e.node.Text)
	}
	switch {
	case !ok || seconds <= 0:
		e.fail("should be a duration")
	case limit > 0 && seconds > limit:
		e.fail("should not exceed the limit")
	default:
		return seconds
	}
	return 0
}

// expiry returns a duration or "never" as it is written.
func (e entry) expiry() string {
	if e.is(document.String) && strings.EqualFold(e.node.Text, "never") {
		return e.node.Text
	}
	if e.seconds(0) == 0 {
		return ""
	}
	return e.node.Text
}

// flatten returns the items of a list and of the lists in it. ok is false if lists are nested
// deeper than maxNesting.
func flatten(n *document.Node) (items []*document.Node, ok bool) {
	ok = true
	var walk func(list *document.Node, depth int)
	walk = func(list *document.Node, depth int) {
		if depth > maxNesting {
			ok = false
			return
		}
		for _, item := range list.Items {
			if item != nil && item.Kind == document.List {
				walk(item, depth+1)
			} else {
				items = append(items, item)
			}
		}
	}
	walk(n, 1)
	return items, ok
}

// script returns the lines of a script, nil if none is given.
func (e entry) script() []string {
	if !e.given() {
		return nil
	}
	if e.is(document.String) {
		return []string{e.node.Text}
	}
	lines := []string{}
	items, ok := flatten(e.node)
	for _, item := range items {
		if item == nil || item.Kind != document.String {
			ok = false
			break
		}
		lines = append(lines, item.Text)
	}
	if !ok || !e.is(document.List) {
		e.fail("should be a string or a nested array of strings up to 10 levels deep")
	}
	return lines
}
