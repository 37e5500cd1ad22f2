package markdown

import (
	"strings"
	"unicode/utf8"
)

// scanNames returns the labels and milestones in a text: ~bug, ~"needs work", group/project%1.0.
// Many of them are none: a name is what may be one.
func scanNames(text string) (found []token) {
	free := 0 // where the last token ends
	for mark := range len(text) {
		if mark < free || text[mark] != '~' && text[mark] != '%' {
			continue
		}
		start := mark
		for start > free && inPath(text[start-1]) {
			start--
		}
		place, valid := pathBefore(text[start:mark], lastRune(text[:start]))
		kind, allowed := Label, isLabelRune
		if text[mark] == '%' {
			kind, allowed = Milestone, isMilestoneRune
		}
		name, end := nameAt(text, mark+1, allowed)
		if name == "" || !valid || firstRune(text[end:]) == rune(text[mark]) {
			continue
		}
		found = append(found, token{mark - len(place), end, "", Reference{Kind: kind, Path: place, Name: name}})
		free = end
	}
	return found
}

// nameAt returns the name at a byte, which is in quotation marks or has allowed runes only, and
// where it ends.
func nameAt(text string, at int, allowed func(rune) bool) (name string, end int) {
	if strings.HasPrefix(text[at:], `"`) {
		length := strings.IndexAny(text[at+1:], "\"\n"+gap)
		if length <= 0 || text[at+1+length] != '"' {
			return "", at
		}
		return text[at+1 : at+1+length], at + length + 2
	}
	for end = at; end < len(text); {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !allowed(r) {
			break
		}
		end += size
	}
	name = strings.TrimRightFunc(text[at:end], func(r rune) bool { return !isWord(r) })
	return name, at + len(name)
}

func isLabelRune(r rune) bool { return isWord(r) || strings.ContainsRune("-?.&:", r) }

// Marks are in no name, so that each byte is read once.
func isMilestoneRune(r rune) bool { return !strings.ContainsRune(" \t\r\n\"<~%"+gap, r) }
