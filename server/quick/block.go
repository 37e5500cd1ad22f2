package quick

import (
	"regexp"
	"strings"
)

// blocks reports for each line whether it belongs to fenced code, an HTML block or a ">>>" block,
// whose lines are no commands. Fenced code and comments without an end reach to the end of the
// text, as in CommonMark; an HTML block without its end tag ends at a blank line; ">>>" without an
// end is not a block.
func blocks(lines []string) []bool {
	verbatim := make([]bool, len(lines))
	ends := lastLines(lines)
	for i := 0; i < len(lines); i++ {
		end := blockEnd(lines, i, ends)
		for ; i < end; i++ {
			verbatim[i] = true
		}
		if end > 0 {
			i--
		}
	}
	return verbatim
}

// blockEnd returns the line after the block that begins at line i, and 0 if none begins there.
func blockEnd(lines []string, i int, ends map[string]int) int {
	line := lines[i]
	if mark := fence(line); mark != "" {
		return after(lines, i, func(line string) bool {
			closing := fence(line)
			return strings.HasPrefix(closing, mark) && strings.Trim(line, " \t") == closing
		})
	}
	if isQuoteFence(line) && ends[">>>"] > i {
		return after(lines, i, isQuoteFence)
	}
	if strings.HasPrefix(line, "<!--") {
		if strings.Contains(line[len("<!--"):], "-->") {
			return i + 1
		}
		return after(lines, i, func(line string) bool { return strings.Contains(line, "-->") })
	}
	if tag := openTag.FindStringSubmatch(line); tag != nil {
		endTag := "</" + strings.ToLower(tag[1]) + ">"
		if ends[endTag] > i {
			return after(lines, i, func(line string) bool { return isEndTag(line, endTag) })
		}
		return after(lines, i, isBlank)
	}
	return 0
}

// after returns the line after the first one behind line i that fits, and the number of lines if
// none does.
func after(lines []string, i int, fits func(string) bool) int {
	for i++; i < len(lines); i++ {
		if fits(lines[i]) {
			return i + 1
		}
	}
	return len(lines)
}

// fence returns the backticks or tildes of a line that opens or closes fenced code, and "" for
// other lines.
func fence(line string) string {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) > 3 || text == "" || (text[0] != '`' && text[0] != '~') {
		return ""
	}
	info := strings.TrimLeft(text, text[:1])
	marks := text[:len(text)-len(info)]
	if len(marks) < 3 || (text[0] == '`' && strings.Contains(info, "`")) {
		return ""
	}
	return marks
}

func isQuoteFence(line string) bool { return strings.TrimRight(line, " \t") == ">>>" }

// openTag is a line that is an opening tag.
var openTag = regexp.MustCompile(`^<([A-Za-z][A-Za-z0-9-]*)(?:\s[^>]*)?>\s*$`)

func isEndTag(line, tag string) bool {
	return len(line) >= len(tag) && strings.EqualFold(strings.TrimRight(line, " \t"), tag)
}

// lastLines maps what ends a block to the last line that has it, so that no search goes on in vain.
func lastLines(lines []string) map[string]int {
	last := map[string]int{}
	for i, line := range lines {
		if isQuoteFence(line) {
			last[">>>"] = i
		} else if strings.HasPrefix(line, "</") {
			last[strings.ToLower(strings.TrimRight(line, " \t"))] = i
		}
	}
	return last
}
