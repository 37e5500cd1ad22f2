package rest

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hew/server/fault"
)

// tree holds the parameters of a query or of a body in any format. A node is nil, a string, a bool,
// a json.Number, a *File, a map[string]any or a []any.
type tree = map[string]any

// The limits of a tree.
const (
	maxDepth = 32
	maxNodes = 50_000
)

func malformedRequest(why string) *fault.Error { return fault.BadRequest(why) }

// parseForm parses pairs (a=1&b[]=2&c[d]=3&e[][f]=4). It reads the raw text because lists of
// objects depend on the order of the pairs: a key that the last object already has begins the next
// object.
func parseForm(raw string) (tree, error) {
	t := tree{}
	n := 0
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		if n++; n > maxNodes {
			return nil, malformedRequest("too many parameters")
		}
		k, v, _ := strings.Cut(pair, "=")
		key, err := unescape(k)
		if err != nil {
			return nil, err
		}
		value, err := unescape(v)
		if err != nil {
			return nil, err
		}
		if err := addValue(t, key, value); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func unescape(s string) (string, error) {
	plain, err := url.QueryUnescape(s)
	if err != nil || !isStorable(plain) {
		return "", malformedRequest("invalid encoding of a parameter")
	}
	return plain, nil
}

// isStorable reports whether Postgres can store a text: it must be valid UTF-8 without NUL.
func isStorable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// addValue stores a value where its key says.
func addValue(t tree, key string, value any) error {
	path := splitKey(key)
	if len(path) > maxDepth {
		return malformedRequest("parameters are nested too deeply")
	}
	child, ok := putValue(t[path[0]], path[1:], value)
	if !ok {
		return fault.Param(path[0] + " is invalid")
	}
	t[path[0]] = child
	return nil
}

// splitKey splits "a[b][]" into "a", "b", "". It returns a key with unbalanced brackets as it is.
func splitKey(key string) []string {
	head, rest, ok := strings.Cut(key, "[")
	if !ok || head == "" || !strings.HasSuffix(rest, "]") {
		return []string{key}
	}
	inner := strings.Split(strings.TrimSuffix(rest, "]"), "][")
	for _, s := range inner {
		if strings.ContainsAny(s, "[]") {
			return []string{key}
		}
	}
	return append([]string{head}, inner...)
}

// putValue returns node with value at path, and false if node has another type than the path
// requires.
func putValue(node any, path []string, value any) (any, bool) {
	if len(path) == 0 {
		return value, true
	}
	if path[0] == "" {
		list, ok := node.([]any)
		if node != nil && !ok {
			return nil, false
		}
		if len(path) > 1 && len(list) > 0 && path[1] != "" {
			if last, ok := list[len(list)-1].(tree); ok && !hasValue(last, path[1:]) {
				_, ok := putValue(last, path[1:], value)
				return list, ok
			}
		}
		child, ok := putValue(nil, path[1:], value)
		return append(list, child), ok
	}
	object, ok := node.(tree)
	if node != nil && !ok {
		return nil, false
	}
	if object == nil {
		object = tree{}
	}
	child, ok := putValue(object[path[0]], path[1:], value)
	if ok {
		object[path[0]] = child
	}
	return object, ok
}

// hasValue reports whether an object already has a value at path. A list in it can always take one
// more.
func hasValue(object tree, path []string) bool {
	child, ok := object[path[0]]
	if !ok || len(path) == 1 {
		return ok
	}
	inner, ok := child.(tree)
	return ok && path[1] != "" && hasValue(inner, path[1:])
}

// escapeLen returns the length of the escape at the start of a JSON text. It returns 0 for one that
// cannot be stored: NUL, or half of a surrogate pair, which the parser would silently replace.
func escapeLen(raw []byte) int {
	switch r := escapedRune(raw); {
	case r < 0:
		return len(`\n`)
	case r == 0:
		return 0
	case !utf16.IsSurrogate(r):
		return len(`\u0000`)
	case utf16.DecodeRune(r, escapedRune(raw[len(`\u0000`):])) == utf8.RuneError:
		return 0
	}
	return len(`\u0000\u0000`)
}

// escapedRune returns the number in \uXXXX at the start of a text, -1 if it starts otherwise.
func escapedRune(raw []byte) rune {
	if len(raw) < len(`\u0000`) || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// scanJSON checks the limits of a tree before the text is parsed, since a tree can be many times
// larger than its text. It does not check whether the text is valid JSON.
func scanJSON(raw []byte) error {
	if !utf8.Valid(raw) {
		return malformedRequest("invalid encoding of a parameter")
	}
	depth, nodes, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			n := escapeLen(raw[i:])
			if n == 0 {
				return malformedRequest("invalid encoding of a parameter")
			}
			i += n - 1
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			nodes++
		case c == '}' || c == ']':
			depth--
		case c == ',':
			nodes++
		}
		if depth > maxDepth {
			return malformedRequest("parameters are nested too deeply")
		}
		if nodes > maxNodes {
			return malformedRequest("too many parameters")
		}
	}
	return nil
}
