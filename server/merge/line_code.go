package merge

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"hew/server/git/diff"
	"hew/server/note"
)

// LineCode returns how clients name a line of a diff: the digest of the path and the numbers of the
// line in the old and the new file. Of an added line, the first is that of the next old line, and
// likewise of a removed one (more §2.1).
func LineCode(f diff.File, line diff.Line) string {
	path := f.NewPath
	if path == "" {
		path = f.OldPath
	}
	sum := sha1.Sum([]byte(path))
	line = diff.Counters(f.Patch, line)
	return fmt.Sprintf("%s_%d_%d", hex.EncodeToString(sum[:]), line.Old, line.New)
}

// lineRange is the line_range of a position.
type lineRange struct {
	Start *lineEnd `json:"start"`
	End   *lineEnd `json:"end"`
}

// lineEnd is the first or last line of a range.
type lineEnd struct {
	LineCode string  `json:"line_code"`
	Type     *string `json:"type"` // new, old or null
	OldLine  *int    `json:"old_line"`
	NewLine  *int    `json:"new_line"`
}

// place sets what follows from the line of a file.
func (e *lineEnd) place(f diff.File, line diff.Line) {
	e.LineCode, e.OldLine, e.NewLine = LineCode(f, line), number(line.Old), number(line.New)
	switch {
	case line.Old == 0:
		e.Type = new("new")
	case line.New == 0:
		e.Type = new("old")
	default:
		e.Type = nil
	}
}

// encode returns the range as positions have it.
func (r lineRange) encode() json.RawMessage {
	text, _ := json.Marshal(r) // texts and numbers encode
	return text
}

// rangeOf returns the range of lines of a position, if it has one.
func rangeOf(p note.Position) (r lineRange, ok bool) {
	if len(p.LineRange) == 0 || json.Unmarshal(p.LineRange, &r) != nil {
		return r, false
	}
	return r, r.Start != nil && r.End != nil
}
