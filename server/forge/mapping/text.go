package mapping

import (
	"strings"

	"hew/server/markdown"
)

// quoteMentions returns a text that can be stored, with names after "@" in backticks.
func quoteMentions(text string) string { return markdown.QuoteMentions(clean(text)) }

// clean returns a text that can be stored.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}
