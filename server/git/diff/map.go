package diff

import (
	"fmt"
	"strings"
)

// Move returns the number that a line has on the other side of a patch: that of a line of the old
// file in the new one or, with back, the other way round. The patch need not show the line. ok is
// false if the line is on one side only.
func Move(patch string, number int, back bool) (moved int, ok bool) {
	if number <= 0 {
		return 0, false
	}
	shift := 0 // of the lines between two hunks
	for text := range strings.Lines(patch) {
		if text[0] != '@' {
			continue
		}
		h := hunkOf(text)
		if back {
			h = h.reversed()
		}
		if number < h.first[0] {
			break
		}
		if number < h.first[0]+h.count[0] {
			line, found := FindLine(patch, number, !back)
			if back {
				line.New = line.Old
			}
			return line.New, found && line.New > 0
		}
		shift = h.first[1] + h.count[1] - h.first[0] - h.count[0]
	}
	return number + shift, true
}

// hunk is which lines of the old and the new file a hunk has. Of no lines, first is the one that
// would follow.
type hunk struct{ first, count [2]int }

func (h hunk) reversed() hunk {
	return hunk{[2]int{h.first[1], h.first[0]}, [2]int{h.count[1], h.count[0]}}
}

// hunkOf reads the head of a hunk, "@@ -1,3 +1,4 @@".
func hunkOf(header string) (h hunk) {
	for field := range strings.FieldsSeq(header) {
		side := strings.IndexByte("-+", field[0])
		if side < 0 {
			continue
		}
		h.count[side] = 1
		_, _ = fmt.Sscanf(field[1:], "%d,%d", &h.first[side], &h.count[side]) // the count may be missing
		if h.count[side] == 0 {
			h.first[side]++
		}
		if side == 1 {
			break
		}
	}
	return h
}
