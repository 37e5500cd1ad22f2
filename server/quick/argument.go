package quick

import (
	"regexp"
	"slices"
	"strings"
)

// Labels returns the titles of labels in an argument, each once: of ~a ~"b c", and without the
// tilde too.
func Labels(argument string) []string { return unique(words(argument, '~')) }

// Users returns the names in an argument without "@", each once. "me" is the caller.
func Users(argument string) []string {
	found := words(argument, '@')
	return unique(slices.DeleteFunc(found, func(name string) bool { return name == "and" }))
}

// Milestone returns the title in an argument: of %m, %"v 1", or the whole argument.
func Milestone(argument string) string {
	argument = strings.TrimSpace(argument)
	title, marked := strings.CutPrefix(argument, "%")
	if found := words(title, '%'); (marked || strings.HasPrefix(title, `"`)) && len(found) > 0 {
		return found[0]
	}
	return argument
}

// Emoji returns the name in an argument such as ":tada:".
func Emoji(argument string) string { return strings.Trim(strings.TrimSpace(argument), ":") }

// plain are the titles that need no quotes after a mark.
var plain = regexp.MustCompile(`^[\pL\pN_.:?&/-]+$`)

// Quote returns a title as it stands after a mark such as "~": in quotes unless it is one word.
func Quote(title string) string {
	if plain.MatchString(title) {
		return title
	}
	return `"` + title + `"`
}

// words returns the words of a text, which blanks, commas and marks separate; a word in double
// quotes may have all of them. A mark before a word is cut.
func words(text string, mark byte) (found []string) {
	separates := func(c byte) bool { return c == ' ' || c == '\t' || c == ',' || c == mark }
	for at := 0; at < len(text); {
		if separates(text[at]) {
			at++
			continue
		}
		if text[at] == '"' {
			if length := strings.IndexByte(text[at+1:], '"'); length > 0 {
				found = append(found, text[at+1:at+1+length])
				at += length + 2
				continue
			}
			at++ // a quote without its end, or with nothing in it
			continue
		}
		end := at
		for end < len(text) && !separates(text[end]) && text[end] != '"' {
			end++
		}
		found = append(found, text[at:end])
		at = end
	}
	return found
}

// unique returns the words, each once, in order.
func unique(words []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(word string) bool {
		again := seen[word]
		seen[word] = true
		return again
	})
}
