package mapping

import (
	"strconv"
	"strings"
)

// diffLine is a line in a diff.
type diffLine struct {
	old, new *int // nil on the side that the line is not on
}

// lastLineOfHunk returns the last line of a hunk, which is the one that a comment is on.
// It reports false if the text is not a hunk.
func lastLineOfHunk(hunk string) (diffLine, bool) {
	lines := strings.Split(strings.TrimRight(hunk, "\n"), "\n")
	old, now, ok := readHunkHeader(lines[0])
	if !ok || len(lines) < 2 {
		return diffLine{}, false
	}
	var at diffLine
	for _, line := range lines[1:] {
		sign := byte(' ') // some hosts cut the space of empty lines
		if line != "" {
			sign = line[0]
		}
		switch sign {
		case '+':
			at = diffLine{new: new(now)}
			now++
		case '-':
			at = diffLine{old: new(old)}
			old++
		case ' ':
			at = diffLine{old: new(old), new: new(now)}
			old++
			now++
		case '\\': // no newline at the end of the file
		default:
			return diffLine{}, false
		}
	}
	return at, true
}

// readHunkHeader reads the first lines on both sides: @@ -1,7 +1,9 @@ func main.
func readHunkHeader(line string) (old, now int, ok bool) {
	rest, ok := strings.CutPrefix(line, "@@ -")
	if !ok {
		return 0, 0, false
	}
	left, rest, found := strings.Cut(rest, " +")
	right, _, closed := strings.Cut(rest, " @@")
	if !found || !closed {
		return 0, 0, false
	}
	left, _, _ = strings.Cut(left, ",")
	right, _, _ = strings.Cut(right, ",")
	old, errOld := strconv.Atoi(left)
	now, errNew := strconv.Atoi(right)
	return old, now, errOld == nil && errNew == nil && old >= 0 && now >= 0 &&
		old < 1<<30 && now < 1<<30
}
