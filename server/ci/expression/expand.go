package expression

import (
	"errors"
	"strings"
)

// The limits of expanded values, in bytes.
const (
	maxExpanded = 1 << 20
	maxTotal    = 16 << 20
)

// ErrTooLarge is the error of variables whose references make them too large.
var ErrTooLarge = errors.New("variables are too large when they are expanded")

// Expand replaces references to variables, `$X`, `${X}` and `%X%`, with their values. Unknown ones
// become empty, as in environment names. `$$` and `%%` stay as they are.
func Expand(text string, lookup Lookup) string {
	return expand(text, func(name, _ string) string {
		value, _ := lookup(name)
		return value
	})
}

// ExpandKnown is Expand for places where unknown references stay as they are, such as tags.
func ExpandKnown(text string, lookup Lookup) string {
	return expand(text, func(name, written string) string {
		if value, ok := lookup(name); ok {
			return value
		}
		return written
	})
}

// References returns the names of the variables that a text refers to, in order, with repetitions.
func References(text string) (names []string) {
	expand(text, func(name, written string) string {
		names = append(names, name)
		return written
	})
	return names
}

// expand replaces each reference of a text. The result ends at about maxExpanded bytes.
func expand(text string, replace func(name, written string) string) string {
	if !strings.ContainsAny(text, "$%") {
		return text
	}
	var out strings.Builder
	for text != "" && out.Len() <= maxExpanded {
		at := strings.IndexAny(text, "$%")
		if at < 0 {
			break
		}
		name, size := readReference(text[at:])
		out.WriteString(text[:at])
		written := text[at : at+size]
		if name == "" {
			out.WriteString(written)
		} else {
			out.WriteString(replace(name, written))
		}
		text = text[at+size:]
	}
	out.WriteString(text)
	return out.String()
}

// readReference returns the name of the variable that a text, which begins with $ or %, refers to,
// and the size of the reference. The name is empty if those bytes are not a reference.
func readReference(text string) (name string, size int) {
	if len(text) > 1 && text[1] == text[0] {
		return "", 2
	}
	rest, closing := text[1:], ""
	switch {
	case text[0] == '%':
		closing = "%"
	case strings.HasPrefix(rest, "{"):
		rest, closing = rest[1:], "}"
	}
	n := 0
	for n < len(rest) && isNameByte(rest[n], n == 0) {
		n++
	}
	if n == 0 || !strings.HasPrefix(rest[n:], closing) {
		return "", 1
	}
	return rest[:n], len(text) - len(rest) + n + len(closing)
}

func isNameByte(c byte, first bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' && !first
}
