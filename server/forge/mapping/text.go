package mapping

import (
	"strings"

	"hew/schema/pattern"
)

// mention matches a name after "@" that does not belong to an address or to code.
var mention = pattern.Lazy("(^|[^A-Za-z0-9_.`/@-])@([A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?(?:/[A-Za-z0-9_-]+)*)")

// quoteMentions returns a text of Markdown with names after "@" in backticks, since the users of
// this host who have these names are others. Code stays as it is.
func quoteMentions(text string) string {
	if !strings.Contains(text, "@") {
		return clean(text)
	}
	lines := strings.SplitAfter(clean(text), "\n")
	fence := ""
	for i, line := range lines {
		marker := fenceOf(line)
		switch {
		case fence == "" && marker != "":
			fence = marker
		case fence != "" && strings.HasPrefix(marker, fence):
			fence = ""
		case fence == "" && strings.Contains(line, "@"):
			lines[i] = quoteLine(line)
		}
	}
	return strings.Join(lines, "")
}

// clean returns a text that can be stored.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// fenceOf returns the marker of a line that begins or ends a block of code.
func fenceOf(line string) string {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) > 3 {
		return ""
	}
	for _, char := range []string{"`", "~"} {
		rest := strings.TrimLeft(text, char)
		if n := len(text) - len(rest); n >= 3 && !(char == "`" && strings.Contains(rest, "`")) {
			return text[:n]
		}
	}
	return ""
}

// quoteLine quotes the mentions of a line outside of its spans of code.
func quoteLine(line string) string {
	var b strings.Builder
	for line != "" {
		start := strings.IndexByte(line, '`')
		if start < 0 {
			break
		}
		rest := strings.TrimLeft(line[start:], "`")
		ticks := line[start : len(line)-len(rest)]
		end := strings.Index(rest, ticks)
		if end < 0 { // not the beginning of code
			b.WriteString(quote(line[:start]) + ticks)
			line = rest
			continue
		}
		b.WriteString(quote(line[:start]) + ticks + rest[:end] + ticks)
		line = rest[end+len(ticks):]
	}
	b.WriteString(quote(line))
	return b.String()
}

func quote(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return mention().ReplaceAllString(text, "$1`@$2`")
}
