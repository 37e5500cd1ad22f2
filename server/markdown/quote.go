package markdown

import (
	"strings"

	"hew/schema/pattern"
)

// strangeName matches a name after "@" that does not belong to an address or to code.
var strangeName = pattern.Lazy("(^|[^A-Za-z0-9_.`/@-])@([A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?(?:/[A-Za-z0-9_-]+)*)")

// QuoteMentions returns a text of another host with names after "@" in backticks, since the users
// and groups of this host who have these names are others. Code stays as it is.
func QuoteMentions(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	var b strings.Builder
	written := 0
	for _, s := range proseOf(text) {
		b.WriteString(text[written:s.start] + strangeName().ReplaceAllString(text[s.start:s.end], "$1`@$2`"))
		written = s.end
	}
	return b.String() + text[written:]
}
