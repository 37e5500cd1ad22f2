package rest

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hew/server/fault"
)

// tree is what a request says, whichever way it says it. A node is nil, a string, a bool, a json.Number, a *File, a
// map[string]any or a []any.
type tree = map[string]any

// A request may not be deeper or wider than this.
const (
	maxDepth = 32
	maxNodes = 50_000
)

func malformed(why string) *fault.Error { return fault.BadRequest(why) }

// parseForm parses pairs (a=1&b[]=2&c[d]=3&e[][f]=4) into a tree. It reads the raw text, because lists of objects depend on
// the order of pairs: a key that the last object already has begins the next object.
func parseForm(raw string) (tree, error) {
	t := tree{}
	n := 0
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		if n++; n > maxNodes {
			return nil, malformed("too many parameters")
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
		if err := add(t, key, value); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func unescape(s string) (string, error) {
	plain, err := url.QueryUnescape(s)
	if err != nil || !sound(plain) {
		return "", malformed("invalid encoding of a parameter")
	}
	return plain, nil
}

// sound reports whether a text can be kept: Postgres takes neither broken UTF-8 nor NUL.
func sound(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// add puts a value where its key says.
func add(t tree, key string, value any) error {
	path := splitKey(key)
	if len(path) > maxDepth {
		return malformed("parameters are nested too deeply")
	}
	child, ok := put(t[path[0]], path[1:], value)
	if !ok {
		return fault.Param(path[0] + " is invalid")
	}
	t[path[0]] = child
	return nil
}

// splitKey splits "a[b][]" into "a", "b", "". A key whose brackets do not match is taken as it stands.
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

// put returns node with value at path, and false if node already is something else than the path needs.
func put(node any, path []string, value any) (any, bool) {
	if len(path) == 0 {
		return value, true
	}
	if path[0] == "" {
		list, ok := node.([]any)
		if node != nil && !ok {
			return nil, false
		}
		if len(path) > 1 && len(list) > 0 && path[1] != "" {
			if last, ok := list[len(list)-1].(tree); ok && !has(last, path[1:]) {
				_, ok := put(last, path[1:], value)
				return list, ok
			}
		}
		child, ok := put(nil, path[1:], value)
		return append(list, child), ok
	}
	object, ok := node.(tree)
	if node != nil && !ok {
		return nil, false
	}
	if object == nil {
		object = tree{}
	}
	child, ok := put(object[path[0]], path[1:], value)
	if ok {
		object[path[0]] = child
	}
	return object, ok
}

// has reports whether an object has a value at path already. A list inside it has always room.
func has(object tree, path []string) bool {
	child, ok := object[path[0]]
	if !ok || len(path) == 1 {
		return ok
	}
	inner, ok := child.(tree)
	return ok && path[1] != "" && has(inner, path[1:])
}

// escapeLen is how long the escape at the start of a JSON text is, and 0 for one that stands for a sign which cannot be
// kept: NUL, and half of a surrogate pair, which the parser would silently replace.
func escapeLen(raw []byte) int {
	switch r := escaped(raw); {
	case r < 0:
		return len(`\n`)
	case r == 0:
		return 0
	case !utf16.IsSurrogate(r):
		return len(`\u0000`)
	case utf16.DecodeRune(r, escaped(raw[len(`\u0000`):])) == utf8.RuneError:
		return 0
	}
	return len(`\u0000\u0000`)
}

// escaped is the number in \uXXXX at the start of a text, and -1 where it starts otherwise.
func escaped(raw []byte) rune {
	if len(raw) < len(`\u0000`) || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// scanJSON holds a JSON text to the limits of forms before it is parsed, as a tree can be many times larger than its text.
// Whether it is JSON at all is for the parser to say.
func scanJSON(raw []byte) error {
	if !utf8.Valid(raw) {
		return malformed("invalid encoding of a parameter")
	}
	depth, nodes, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			n := escapeLen(raw[i:])
			if n == 0 {
				return malformed("invalid encoding of a parameter")
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
			return malformed("parameters are nested too deeply")
		}
		if nodes > maxNodes {
			return malformed("too many parameters")
		}
	}
	return nil
}
