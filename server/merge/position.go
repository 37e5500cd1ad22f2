package merge

import (
	"context"
	"encoding/json"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/diff"
	"hew/server/note"
)

// tracedLimits bound the patches that lines are followed through. Lines of larger ones are
// outdated.
var tracedLimits = diff.Limits{Files: 1000, PatchBytes: 4 << 20, TotalBytes: 64 << 20}

// tracer moves positions from the diff A..B of one version to the diff C..D of another one (more
// §2.1).
type tracer struct {
	to     Version
	ac, bd map[string]diff.File // by the old path
	cd     map[string]diff.File // by the new path
	gone   map[string]diff.File // of cd, by the old path
}

// newTracer reads the differences that the positions need.
func newTracer(ctx context.Context, g *code.Git, from, to Version, list []note.Position) (t tracer, err error) {
	old, now := map[string]bool{}, map[string]bool{}
	for _, p := range list {
		old[p.OldPath], now[p.NewPath] = true, true
	}
	t.to = to
	ac, err := g.DiffOf(ctx, from.Base, to.Base, tracedLimits, func(f diff.File) bool { return old[f.OldPath] })
	if err != nil {
		return t, err
	}
	bd, err := g.DiffOf(ctx, from.Head, to.Head, tracedLimits, func(f diff.File) bool { return now[f.OldPath] })
	if err != nil {
		return t, err
	}
	t.ac, t.bd = byOldPath(ac), byOldPath(bd)
	for _, f := range ac {
		old[f.NewPath] = true
	}
	for _, f := range bd {
		now[f.NewPath] = true
	}
	cd, err := g.DiffOf(ctx, to.Base, to.Head, tracedLimits, func(f diff.File) bool {
		return old[f.OldPath] || now[f.NewPath]
	})
	t.cd, t.gone = map[string]diff.File{}, byOldPath(cd)
	for _, f := range cd {
		t.cd[f.NewPath] = f
	}
	return t, err
}

func byOldPath(files []diff.File) map[string]diff.File {
	at := make(map[string]diff.File, len(files))
	for _, f := range files {
		at[f.OldPath] = f
	}
	return at
}

// move returns where a position is in the new diff; ok is false if it is outdated.
func (t tracer) move(p note.Position) (moved note.Position, ok bool) {
	if p.PositionType != note.TextPosition {
		return t.moveFile(p)
	}
	f, line, ok := t.moveLine(p.OldPath, p.NewPath, p.OldLine, p.NewLine)
	if !ok {
		return p, false
	}
	moved = t.at(p, f)
	moved.OldLine, moved.NewLine = db.NilIfZero(line.Old), db.NilIfZero(line.New)
	moved.LineRange = t.moveRange(p, f)
	return moved, true
}

// at returns a position in a file of the new diff.
func (t tracer) at(p note.Position, f diff.File) note.Position {
	p.BaseSHA, p.StartSHA, p.HeadSHA = new(t.to.Base.String()), new(t.to.Start.String()), t.to.Head.String()
	p.OldPath, p.NewPath = f.OldPath, f.NewPath
	return p
}

// moveFile follows an image or a file, which are outdated once their content has changed.
func (t tracer) moveFile(p note.Position) (note.Position, bool) {
	path := p.NewPath
	if changed, ok := t.bd[path]; ok {
		if changed.OldID != changed.NewID {
			return p, false
		}
		path = changed.NewPath
	}
	f, ok := t.cd[path]
	return t.at(p, f), ok
}

// moveLine follows a line with its numbers in the old and the new file, nil where it is not. It
// returns the file and the line of the new diff.
func (t tracer) moveLine(oldPath, newPath string, oldLine, newLine *int) (f diff.File, line diff.Line, ok bool) {
	inC, inD := 0, 0
	if oldLine != nil {
		oldPath, inC = follow(t.ac, oldPath, *oldLine)
	}
	if newLine != nil {
		newPath, inD = follow(t.bd, newPath, *newLine)
	}
	switch {
	case newLine == nil: // removed
		f, ok = t.gone[oldPath]
		if !ok || inC == 0 {
			return f, line, false
		}
		line, ok = diff.FindLine(f.Patch, inC, true)
		return f, line, ok && line.New == 0
	case inD == 0:
		return f, line, false
	}
	if f, ok = t.cd[newPath]; !ok {
		return f, line, false
	}
	line, ok = diff.FindLine(f.Patch, inD, false)
	if oldLine != nil && line.Old != inC { // of an unchanged line: 0 for one that only D has
		ok = ok && line.Old == 0 && inC == 0
	}
	return f, line, ok
}

// follow returns where a line of a file is after a difference: the path and the number, 0 if it is
// not there any more.
func follow(changes map[string]diff.File, path string, line int) (string, int) {
	f, ok := changes[path]
	switch {
	case !ok:
		return path, line
	case f.Status == 'D', f.Binary, f.TooLarge:
		return path, 0
	}
	moved, _ := diff.Move(f.Patch, line, false)
	return f.NewPath, moved
}

// moveRange follows the ends of a range of lines. The range is lost if one of them is.
func (t tracer) moveRange(p note.Position, in diff.File) json.RawMessage {
	r, ok := rangeOf(p)
	if !ok {
		return nil
	}
	for _, end := range []*lineEnd{r.Start, r.End} {
		f, line, ok := t.moveLine(p.OldPath, p.NewPath, end.OldLine, end.NewLine)
		if !ok || f.NewPath != in.NewPath {
			return nil
		}
		end.setLine(in, line)
	}
	return r.encode()
}
