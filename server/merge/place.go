package merge

import (
	"context"
	"strconv"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/object"
	"hew/server/note"
)

// errNoLine is the fault of a position that no version of a merge request shows.
func errNoLine() error {
	return fault.BadRequest(`Note {:line_code=>["can't be blank", "must be a valid line code"]}`)
}

// Placed is where a note is on the diff of a merge request.
type Placed struct {
	Now      *note.Position // on the last version, or on an older one if it is outdated there
	Original *note.Position // as it was asked for
	Commit   []byte         // the commit that the note is on; nil: on all of them
	LineCode string         // of the original position; "": it is not a line
}

// PlaceNote checks where a note of a merge request is to be, and completes it: a position on a
// version, or on one of the commits (more §2.1). It returns 400 for a line that the diff does not
// show, and 404 for a commit that is not one of the merge request.
func PlaceNote(
	ctx context.Context, st *db.Store, g *code.Git, r Request, p *note.Position, commit string,
) (placed Placed, err error) {
	if commit != "" {
		return placeOnCommit(ctx, g, r, p, commit)
	}
	if p == nil {
		return placed, nil
	}
	refs, ok := refsOf(*p)
	if !ok {
		return placed, errNoLine()
	}
	v, ok, err := versionOf(ctx, st, r, refs.Base, refs.Start, refs.Head)
	if err != nil {
		return placed, err
	}
	if !ok {
		return placed, errNoLine()
	}
	original, f, line, err := placeInVersion(ctx, g, v, *p)
	if err != nil {
		return placed, err
	}
	placed.Now, placed.Original = &original, &original
	if p.PositionType == note.TextPosition {
		placed.LineCode = LineCode(f, line)
	}
	last := Version{Head: r.Head, Base: r.Base, Start: r.Start}
	if v.Head == last.Head && v.Base == last.Base && v.Start == last.Start {
		return placed, nil
	}
	t, err := newTracer(ctx, g, v, last, []note.Position{original})
	if err != nil {
		return placed, err
	}
	if now, ok := t.move(original); ok {
		placed.Now = &now
	}
	return placed, nil
}

// placeOnCommit checks a commit of a merge request, and a position on what that changes.
func placeOnCommit(
	ctx context.Context, g *code.Git, r Request, p *note.Position, revision string,
) (placed Placed, err error) {
	id, err := object.ParseID(revision)
	if err != nil {
		return placed, fault.NotFound("Commit")
	}
	c, err := g.FindCommit(ctx, "Commit", id)
	if err != nil {
		return placed, err
	}
	ours, err := g.IsAncestor(ctx, c.ID, r.Head)
	if err != nil {
		return placed, err
	}
	theirs, err := g.IsAncestor(ctx, c.ID, r.Start)
	if err != nil {
		return placed, err
	}
	if !ours || theirs {
		return placed, fault.NotFound("Commit")
	}
	placed.Commit = c.ID[:]
	if p == nil {
		return placed, nil
	}
	now, err := g.PlaceNote(ctx, c, *p)
	placed.Now, placed.Original = &now, &now
	return placed, err
}

// placeInVersion completes a position with what the diff of a version shows.
func placeInVersion(
	ctx context.Context, g *code.Git, v Version, p note.Position,
) (placed note.Position, f diff.File, line diff.Line, err error) {
	removed := p.PositionType == note.TextPosition && p.NewLine == nil
	matches := func(f diff.File) bool {
		if removed || p.NewPath == "" {
			return f.OldPath == p.OldPath
		}
		return f.NewPath == p.NewPath
	}
	files, err := g.DiffOf(ctx, v.Base, v.Head, tracedLimits, matches)
	if err != nil {
		return p, f, line, err
	}
	for _, f = range files {
		if !matches(f) {
			continue
		}
		p = tracer{to: v}.at(p, f)
		if p.PositionType != note.TextPosition {
			return p, f, line, nil
		}
		var ok bool
		if line, ok = shownLine(f.Patch, p.OldLine, p.NewLine); !ok {
			return p, f, line, errNoLine()
		}
		p.OldLine, p.NewLine = db.NilIfZero(line.Old), db.NilIfZero(line.New)
		p.LineRange = placeRange(p, f)
		return p, f, line, nil
	}
	return p, f, line, errNoLine()
}

// shownLine returns a line that a patch shows: an added line is given by its new number alone, a
// removed one by its old number alone, and an unchanged one by both.
func shownLine(patch string, oldLine, newLine *int) (line diff.Line, ok bool) {
	switch {
	case newLine != nil:
		line, ok = diff.FindLine(patch, *newLine, false)
	case oldLine != nil:
		line, ok = diff.FindLine(patch, *oldLine, true)
	}
	return line, ok && line.Old == db.OrZero(oldLine) && line.New == db.OrZero(newLine)
}

// placeRange completes the ends of a range of lines with what the patch of their file shows. An end
// that it does not show leaves no range.
func placeRange(p note.Position, f diff.File) []byte {
	r, ok := rangeOf(p)
	if !ok {
		return nil
	}
	for _, end := range []*lineEnd{r.Start, r.End} {
		if end.OldLine == nil && end.NewLine == nil {
			end.OldLine, end.NewLine = end.fromCode()
		}
		line, ok := shownLine(f.Patch, end.OldLine, end.NewLine)
		if !ok {
			return nil
		}
		end.setLine(f, line)
	}
	return r.encode()
}

// fromCode reads the numbers of a line from its code, as far as its type says that they are its
// own.
func (e *lineEnd) fromCode() (oldLine, newLine *int) {
	parts := strings.Split(e.LineCode, "_")
	if len(parts) != 3 {
		return nil, nil
	}
	a, errA := strconv.Atoi(parts[1])
	b, errB := strconv.Atoi(parts[2])
	if errA != nil || errB != nil {
		return nil, nil
	}
	switch {
	case e.Type != nil && *e.Type == "new":
		return nil, &b
	case e.Type != nil && *e.Type == "old":
		return &a, nil
	}
	return &a, &b
}
