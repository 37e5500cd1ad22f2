package urlmask

import (
	"iter"
	"strings"
)

// Find returns the first URL in a text, up to the next space, or "" if there is none.
func Find(text string) string {
	for start, end := range urls(text) {
		return text[start:end]
	}
	return ""
}

// urls yields where the URLs in a text begin and end: a scheme, which may be empty, ://, and what
// follows up to the next space.
func urls(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for last := 0; ; {
			i := strings.Index(text[last:], "://")
			if i < 0 {
				return
			}
			start, end := last+i, len(text)
			if space := strings.IndexAny(text[start:], " \t\n\f\r"); space >= 0 {
				end = start + space
			}
			for start > last && isSchemeCharacter(text[start-1]) {
				start--
			}
			if last = end; !yield(start, end) {
				return
			}
		}
	}
}

// isSchemeCharacter reports whether c can be part of a scheme.
func isSchemeCharacter(c byte) bool {
	return classOf(rune(c)) != otherClass || c == '+' || c == '.' || c == '-'
}

// replaceURLs returns a text with another text in place of each URL.
func replaceURLs(text string, by func(address string) string) string {
	var out strings.Builder
	last := 0
	for start, end := range urls(text) {
		out.WriteString(text[last:start])
		out.WriteString(by(text[start:end]))
		last = end
	}
	if last == 0 {
		return text
	}
	out.WriteString(text[last:])
	return out.String()
}
