package merge

import "regexp"

// draftTitle matches the beginning of the title of a draft (more §6.2).
var draftTitle = regexp.MustCompile(`(?i)^\s*(?:\[draft\]|\(draft\)|draft:)\s*`)

// IsDraft reports whether a title says that a merge request is a draft.
func IsDraft(title string) bool { return draftTitle.MatchString(title) }

// ReadyTitle returns a title without the marks of a draft.
func ReadyTitle(title string) string {
	for draftTitle.MatchString(title) {
		title = draftTitle.ReplaceAllString(title, "")
	}
	return title
}

// DraftTitle returns a title with the mark of a draft.
func DraftTitle(title string) string {
	if IsDraft(title) {
		return title
	}
	return "Draft: " + title
}
