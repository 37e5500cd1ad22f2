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
	lines := strings.SplitAfter(text, "\n")
	fence := ""
	for i, line := range lines {
		marker := fenceOf(line)
		switch {
		case fence == "" && marker != "":
			fence = marker
		case fence != "" && strings.HasPrefix(marker, fence) && endsFence(line, marker):
			fence = ""
		case fence == "" && strings.Contains(line, "@"):
			lines[i] = quoteLine(line)
		}
	}
	return strings.Join(lines, "")
}

// endsFence reports whether a line with a marker has nothing behind it, as the end of a block of
// code.
func endsFence(line, marker string) bool { return strings.TrimSpace(line) == marker }

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
			b.WriteString(quoteNames(line[:start]) + ticks)
			line = rest
			continue
		}
		b.WriteString(quoteNames(line[:start]) + ticks + rest[:end] + ticks)
		line = rest[end+len(ticks):]
	}
	b.WriteString(quoteNames(line))
	return b.String()
}

func quoteNames(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return strangeName().ReplaceAllString(text, "$1`@$2`")
}
