// Package emoji knows the short names of emojis, such as "thumbsup".
package emoji

import "github.com/yuin/goldmark-emoji/definition"

// Canonical returns the one name that stands for all short names of an emoji: "thumbsup" for "+1".
// ok is false if the name, given without colons, is not the short name of a Unicode emoji. Case
// matters.
func Canonical(name string) (canonical string, ok bool) {
	e, known := definition.Github().Get(name)
	if !known || !e.IsUnicode() {
		return "", false
	}
	for _, short := range e.ShortNames {
		if short[0] != '+' && short[0] != '-' { // "+1" and "-1" come first, but are aliases
			return short, true
		}
	}
	return e.ShortNames[0], true
}
