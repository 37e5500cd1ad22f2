package snippet

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
)

// Snippet is a row of snippets with what is shown of it.
type Snippet struct {
	ID           int64         `db:"id,auto"`
	UserID       *int64        `db:"user_id"`    // whose personal snippet it is
	ProjectID    *int64        `db:"project_id"` // or the project that holds it
	AuthorID     *int64        `db:"author_id"`
	Title        string        `db:"title"`
	Description  *string       `db:"description"`
	Visibility   db.Visibility `db:"visibility"`
	Files        []string      `db:"files,auto"`    // paths in git's order, as the last push left them
	ImportedFrom string        `db:"imported_from"` // NotImported, FromGist
	Size         int64         `db:"size,auto"`     // bytes of its repository, when it was last measured
	Source       *string       `db:"source"`        // the address of what it was imported from; unique for a user
	CreatedAt    time.Time     `db:"created_at,auto"`
	UpdatedAt    time.Time     `db:"updated_at,auto"`

	Path   *string      `db:"path,auto"` // full path of the project
	Author *tree.Person `db:"author,auto"`
}

// The values of imported_from.
const (
	NotImported = "none"
	FromGist    = "github"
)

// Place returns where the files are.
func (s Snippet) Place() code.Place { return code.SnippetPlace(s.ID) }

// Target returns the snippet of a project as the target of notes.
func (s Snippet) Target() note.Target {
	return note.Target{Container: db.Container{ProjectID: s.ProjectID}, Kind: note.Snippet, ID: s.ID}
}

// IsAuthor reports whether a user made the snippet.
func (s Snippet) IsAuthor(userID int64) bool { return s.AuthorID != nil && *s.AuthorID == userID }

var selectSnippets = `
	select t.*, p.full_path as path, ` + tree.PersonColumn("t.author_id") + ` as author
	from snippets t left join projects p on p.id = t.project_id`

// Find returns the snippet with an id, of a user or of a project, visible to the caller or not.
func Find(ctx context.Context, s *db.Store, id int64) (Snippet, error) {
	return db.One[Snippet](ctx, s, "Snippet", selectSnippets+` where t.id = @id`, pgx.NamedArgs{"id": id})
}

// Imported reports whether a user has a snippet that was imported from an address.
func Imported(ctx context.Context, s *db.Store, userID int64, source string) (bool, error) {
	return db.Value[bool](ctx, s, `select exists (select from snippets where user_id = @user and source = @source)`,
		pgx.NamedArgs{"user": userID, "source": source})
}

// FindInProject returns the snippet of a project with an id, visible to the caller or not.
func FindInProject(ctx context.Context, s *db.Store, projectID, id int64) (Snippet, error) {
	return db.One[Snippet](ctx, s, "Snippet", selectSnippets+` where t.id = @id and t.project_id = @project`,
		pgx.NamedArgs{"id": id, "project": projectID})
}
