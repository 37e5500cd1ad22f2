package code

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/note"
	"hew/server/tree"
)

// Comment is a note on a commit, as the routes of comments show it.
type Comment struct {
	note.Note
	Path     *string // of the file that it is about; nil for the whole commit
	Line     *int
	LineType *string // new: Line counts in the new file; old
}

// CommitTarget returns a commit as the target of notes.
func (g *Git) CommitTarget(c Commit) note.Target {
	return note.Target{Container: g.Container, Kind: note.Commit, OID: c.ID[:]}
}

// everybody reads all notes of commits: notes on commits are never internal.
var everybody = note.Reader{Internal: true}

// Comments returns a page of the comments on a commit, oldest first, and their capped count.
func (g *Git) Comments(ctx context.Context, c Commit, p db.Page) ([]Comment, int, error) {
	notes, total, err := note.Notes(g.st, g.CommitTarget(c), everybody).List(ctx, p, note.Showing(note.OnlyComments))
	list := make([]Comment, len(notes))
	for n := range notes {
		if list[n], err = commentOf(notes[n]); err != nil {
			return nil, 0, err
		}
	}
	return list, total, err
}

// commentOf returns a note as a comment.
func commentOf(n note.Note) (c Comment, err error) {
	c.Note = n
	p, err := note.PositionOf(n)
	switch {
	case err != nil || p == nil:
	case p.PositionType != note.TextPosition:
		c.Path = &p.NewPath
	case p.NewLine != nil:
		c.Path, c.Line, c.LineType = &p.NewPath, p.NewLine, new("new")
	default:
		c.Path, c.Line, c.LineType = &p.OldPath, p.OldLine, new("old")
	}
	return c, err
}

// NewComment is a comment to be made. With a path it is about a line of a file.
type NewComment struct {
	Author   tree.User
	Note     string
	Path     string
	Line     int
	LineType string
}

// AddComment stores a comment. One on a line that the commit does not show is about the whole
// commit.
func (g *Git) AddComment(ctx context.Context, on Commit, n NewComment) (c Comment, err error) {
	if wrong := note.Wrong(n.Note); wrong != "" {
		return c, fault.BadRequest("Failed to save note " + wrong)
	}
	row := note.New{By: n.Author, Body: n.Note}
	if n.Path != "" {
		p := note.Position{PositionType: note.TextPosition, OldPath: n.Path, NewPath: n.Path}
		if n.LineType == "old" {
			p.OldLine = &n.Line
		} else {
			p.NewLine = &n.Line
		}
		placed, ok, err := g.place(ctx, on, p)
		if err != nil {
			return c, err
		}
		if ok {
			row.Position = &placed
		}
	}
	stored, err := note.Create(ctx, g.st, g.CommitTarget(on), row)
	if err != nil {
		return c, err
	}
	return commentOf(stored)
}

// PlaceNote completes a position in the difference of a commit, or refuses it.
func (g *Git) PlaceNote(ctx context.Context, on Commit, p note.Position) (note.Position, error) {
	placed, ok, err := g.place(ctx, on, p)
	if err == nil && !ok {
		err = fault.BadRequest(`Note {:line_code=>["can't be blank", "must be a valid line code"]}`)
	}
	return placed, err
}

// place completes a position with what the difference of a commit from its first parent shows; ok
// is false if it does not show the line, or the file.
func (g *Git) place(ctx context.Context, on Commit, p note.Position) (placed note.Position, ok bool, err error) {
	files, err := g.CommitDiff(ctx, on, diff.Limits{})
	if err != nil {
		return p, false, err
	}
	parent := emptyBase
	if len(on.Parents) > 0 {
		parent = on.Parents[0].String()
	}
	p.BaseSHA, p.StartSHA, p.HeadSHA = &parent, &parent, on.ID.String()
	old := p.NewLine == nil
	for _, f := range files {
		if old && f.OldPath != p.OldPath || !old && f.NewPath != p.NewPath {
			continue
		}
		p.OldPath, p.NewPath = f.OldPath, f.NewPath
		if p.PositionType != note.TextPosition {
			return p, true, nil
		}
		return placeLine(p, f.Patch, old)
	}
	return p, false, nil
}

// emptyBase is the base of the positions in commits without a parent.
const emptyBase = "0000000000000000000000000000000000000000"

// placeLine sets both numbers of the line of a position. Of those that were given, both must be
// right.
func placeLine(p note.Position, patch string, old bool) (note.Position, bool, error) {
	number := p.NewLine
	if old {
		number = p.OldLine
	}
	if number == nil {
		return p, false, nil
	}
	line, ok := diff.FindLine(patch, *number, old)
	if !ok || !old && p.OldLine != nil && *p.OldLine != line.Old {
		return p, false, nil
	}
	p.OldLine, p.NewLine = db.NilIfZero(line.Old), db.NilIfZero(line.New)
	return p, true, nil
}
