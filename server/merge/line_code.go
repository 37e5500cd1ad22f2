package merge

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/note"
	"hew/server/tree"
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

// LineCodeOf returns the code of the line of a diff that a note of a merge request in a project was
// written on; "" if it is on none, or on one that cannot be read any more.
func LineCodeOf(ctx context.Context, st *db.Store, p tree.Project, n note.Note) (string, error) {
	at, err := note.PositionOf(note.Note{Position: n.OriginalPosition})
	if err != nil || at == nil || at.PositionType != note.TextPosition {
		return "", err
	}
	v, ok := refsOf(*at)
	if !ok {
		return "", nil
	}
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return "", err
	}
	_, f, line, err := placeInVersion(ctx, g, v, *at)
	if _, gone := fault.From(err); gone {
		return "", nil
	}
	return LineCode(f, line), err
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

// setLine sets what follows from the line of a file.
func (e *lineEnd) setLine(f diff.File, line diff.Line) {
	e.LineCode, e.OldLine, e.NewLine = LineCode(f, line), db.NilIfZero(line.Old), db.NilIfZero(line.New)
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
