package code

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/object"
	"hew/server/tree"
)

// Comment is a comment on a commit.
type Comment struct {
	ID        int64        `db:"id,auto"`
	ProjectID int64        `db:"project_id"`
	Commit    object.ID    `db:"oid"`
	AuthorID  *int64       `db:"author_id"`
	Author    *tree.Person `db:"author,auto"` // nil: the user is deleted
	Note      string       `db:"note"`
	Path      *string      `db:"path"` // of the file that it is about; nil for the whole commit
	Line      *int         `db:"line"`
	LineType  *string      `db:"line_type"` // new: Line counts in the new file; old
	CreatedAt time.Time    `db:"created_at,auto"`
}

// Commented is emitted after somebody commented on a commit, in the transaction that stores it.
type Commented struct {
	Project tree.Project
	Commit  Commit
	Comment Comment
}

var selectComments = `select t.*, ` + tree.PersonColumn("t.author_id") + ` as author from commit_comments t`

// Comments returns a page of the comments on a commit, oldest first, and their capped count.
func (g *Git) Comments(ctx context.Context, c object.ID, p db.Page) ([]Comment, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.project_id = @project`, g.Container.ID())
	w.And(`t.oid = @oid`, c)
	return db.List[Comment](ctx, g.st, p, db.Order{}, "t.id", selectComments, w)
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
func (g *Git) AddComment(ctx context.Context, p tree.Project, on Commit, n NewComment) (c Comment, err error) {
	if strings.TrimSpace(n.Note) == "" {
		return c, fault.BadRequest("Failed to save note {:note=>[\"can't be blank\"]}")
	}
	c = Comment{ProjectID: p.ID, Commit: on.ID, AuthorID: &n.Author.ID, Note: n.Note}
	if n.Path != "" {
		files, err := g.CommitDiff(ctx, on, diff.Limits{})
		if err != nil {
			return c, err
		}
		if showsLine(files, n) {
			c.Path, c.Line, c.LineType = &n.Path, &n.Line, &n.LineType
		}
	}
	err = g.st.Tx(ctx, func(st *db.Store) error {
		id, err := st.Insert(ctx, "commit_comments", c)
		if err != nil {
			return err
		}
		if c, err = db.One[Comment](ctx, st, "Note", selectComments+` where t.id = @id`,
			pgx.NamedArgs{"id": id}); err != nil {
			return err
		}
		return event.Emit(ctx, st, Commented{Project: p, Commit: on, Comment: c})
	})
	return c, err
}

// showsLine reports whether the difference of a commit shows the line that a comment is about.
func showsLine(files []diff.File, n NewComment) bool {
	for _, f := range files {
		path := f.NewPath
		if n.LineType == "old" {
			path = f.OldPath
		}
		if path == n.Path {
			return diff.ShowsLine(f.Patch, n.Line, n.LineType == "old")
		}
	}
	return false
}
