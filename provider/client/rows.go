package client

import (
	"bytes"
	"encoding/json"
)

// elements splits a JSON array into its elements, without a copy: of ten thousand
// rows of several kilobytes each, callers want a few fields. It reports whether the
// text is a valid array. Callers rely on that, as [json.Valid] would take six times
// as long for it.
func elements(text []byte) (rows []json.RawMessage, ok bool) {
	text = bytes.TrimSpace(text)
	if !bytes.HasPrefix(text, []byte("[")) {
		return nil, false
	}
	end := sequence(text, 0, ']', 0, func(start int) int {
		end := valueEnd(text, start, 1)
		if end >= 0 {
			rows = append(rows, text[start:end])
		}
		return end
	})
	return rows, end == len(text)
}

// deepestJSON is the deepest nesting that encoding/json accepts.
const deepestJSON = 10_000

// valueEnd returns the index behind the value that begins at i, or -1 if it is invalid.
func valueEnd(text []byte, i, depth int) int {
	if i >= len(text) {
		return -1
	}
	switch text[i] {
	case '"':
		return stringEnd(text, i)
	case '[':
		return sequence(text, i, ']', depth, func(i int) int { return valueEnd(text, i, depth+1) })
	case '{':
		return sequence(text, i, '}', depth, func(i int) int {
			if i >= len(text) || text[i] != '"' {
				return -1
			}
			if i = stringEnd(text, i); i < 0 {
				return -1
			}
			if i = skipSpace(text, i); i >= len(text) || text[i] != ':' {
				return -1
			}
			return valueEnd(text, skipSpace(text, i+1), depth+1)
		})
	case 't':
		return literalEnd(text, i, "true")
	case 'f':
		return literalEnd(text, i, "false")
	case 'n':
		return literalEnd(text, i, "null")
	}
	return numberEnd(text, i)
}

// sequence returns the index behind the array or object that opens at i, whose items item
// walks, or -1.
func sequence(text []byte, i int, closing byte, depth int, item func(i int) int) int {
	if depth >= deepestJSON {
		return -1
	}
	i = skipSpace(text, i+1)
	if i < len(text) && text[i] == closing {
		return i + 1
	}
	for {
		if i = item(i); i < 0 {
			return -1
		}
		if i = skipSpace(text, i); i >= len(text) {
			return -1
		}
		switch text[i] {
		case closing:
			return i + 1
		case ',':
			i = skipSpace(text, i+1)
		default:
			return -1
		}
	}
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i + 1
		case c < ' ':
			return -1
		case c == '\\':
			if i++; i >= len(text) {
				return -1
			}
			if text[i] == 'u' {
				for range 4 {
					if i++; i >= len(text) || !isHex(text[i]) {
						return -1
					}
				}
			} else if bytes.IndexByte([]byte(`"\/bfnrt`), text[i]) < 0 {
				return -1
			}
		}
	}
	return -1
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func literalEnd(text []byte, i int, word string) int {
	if !bytes.HasPrefix(text[i:], []byte(word)) {
		return -1
	}
	return i + len(word)
}

func numberEnd(text []byte, i int) int {
	if text[i] == '-' {
		i++
	}
	whole := digitsEnd(text, i)
	if whole == i || text[i] == '0' && whole > i+1 {
		return -1
	}
	if i = whole; i < len(text) && text[i] == '.' {
		end := digitsEnd(text, i+1)
		if end == i+1 {
			return -1
		}
		i = end
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		if i++; i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		end := digitsEnd(text, i)
		if end == i {
			return -1
		}
		i = end
	}
	return i
}

func digitsEnd(text []byte, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}
