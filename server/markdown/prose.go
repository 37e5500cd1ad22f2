package markdown

import (
	"iter"
	"strings"
)

// A span is a part of a text.
type span struct{ start, end int } // bytes

// proseOf returns the parts of a text without its blocks of code between fences and its spans of
// code. It reads line by line, in a time that grows with the length, and knows neither blocks of
// code that are indented nor spans of several lines.
func proseOf(text string) (found []span) {
	for at, line := range outsideFences(text) {
		found = proseOfLine(found, line, at)
	}
	return found
}

// outsideFences returns the lines of a text that are not between fences, by the byte at which they
// begin.
func outsideFences(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		fence, at := "", 0
		for line := range strings.Lines(text) {
			marker := fenceOf(line)
			switch {
			case fence == "" && marker != "":
				fence = marker
			case fence != "" && strings.HasPrefix(marker, fence) && endsFence(line, marker):
				fence = ""
			case fence == "" && !yield(at, line):
				return
			}
			at += len(line)
		}
	}
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

// proseOfLine adds the parts of a line at a byte of the text, without its spans of code.
func proseOfLine(found []span, line string, at int) []span {
	start := 0
	for next := 0; ; {
		i := strings.IndexByte(line[next:], '`')
		if i < 0 {
			return append(found, span{at + start, at + len(line)})
		}
		begin := next + i
		rest := strings.TrimLeft(line[begin:], "`")
		ticks := line[begin : len(line)-len(rest)]
		next = begin + len(ticks)
		end := strings.Index(rest, ticks)
		if end < 0 { // not the beginning of code
			continue
		}
		found = append(found, span{at + start, at + begin})
		next += end + len(ticks)
		start = next
	}
}
