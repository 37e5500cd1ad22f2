package markdown

import "regexp"

var (
	// closing is a word that closes the issues after it.
	closing = regexp.MustCompile(`\b(?:[Cc]los(?:e[sd]?|ing)|[Ff]ix(?:e[sd]|ing)?|[Rr]esolv(?:e[sd]?|ing)|` +
		`[Ii]mplement(?:s|ed|ing)?):? +`)
	issueWord = regexp.MustCompile(`^issues? +`)
	separator = regexp.MustCompile(`^(?: *,? +and +| *,? *)`)
)

// ClosingReferences returns the issues that a commit message or description closes, each once, in
// order: those after a word such as "Closes", "fixed" or "Implementing:", with commas, blanks or
// "and" between them. They are of kind Issue or URL. The text is read as it is, and not as
// Markdown, for a commit message is none: code closes issues, too.
func ClosingReferences(text string) []Reference {
	var found []Reference
	for at := 0; at < len(text); {
		match := closing.FindStringIndex(text[at:])
		if match == nil {
			break
		}
		at += match[1]
		for at < len(text) {
			start := at + len(issueWord.FindString(text[at:]))
			t, _ := scanAt(text, start)
			if t.start != start || (t.reference.Kind != Issue && t.reference.Kind != URL) {
				break
			}
			found = append(found, t.reference)
			at = t.end
			at += len(separator.FindString(text[at:]))
		}
	}
	return once(found)
}
