package snippet

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/tree"
)

const (
	maxTitle       = 255     // characters
	maxDescription = 1 << 20 // characters
)

// New is a snippet to be made.
type New struct {
	Snippet // UserID or ProjectID, Title, Description, Visibility, ImportedFrom, Source
	By      code.Author
	Files   []code.Action // all of them create a file

	AuthoredAt time.Time // of what is imported; zero: now
}

// Create stores a snippet with its files.
func Create(ctx context.Context, st *db.Store, n New) (s Snippet, err error) {
	n.AuthorID = &n.By.User.ID
	if n.ImportedFrom == "" {
		n.ImportedFrom = NotImported
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := checkFields(n.Snippet); err != nil {
			return err
		}
		if err := tree.CheckVisibility(ctx, st, n.Visibility, n.By.User); err != nil {
			return err
		}
		id, err := st.Insert(ctx, "snippets", n.Snippet)
		if err != nil {
			return err
		}
		if !n.AuthoredAt.IsZero() {
			if err := st.Exec(ctx, `update snippets set created_at = @at where id = @id`,
				pgx.NamedArgs{"id": id, "at": n.AuthoredAt}); err != nil {
				return err
			}
		}
		n.ID = id
		if err := n.Snippet.commit(ctx, st, n.By, "Initial commit", Plain(n.Files)); err != nil {
			return err
		}
		if s, err = Find(ctx, st, id); err != nil || s.ImportedFrom != NotImported {
			return err
		}
		return event.Emit(ctx, st, Changed{Snippet: s, By: n.By.User, New: true})
	})
	return s, err
}

// Changed is emitted after a snippet was made or changed by the API, in the transaction that does
// it. What is imported raises no events.
type Changed struct {
	Snippet Snippet
	By      tree.User
	New     bool
}

// Plain returns the same changes of files whatever files there are.
func Plain(actions []code.Action) func([]string) ([]code.Action, error) {
	return func([]string) ([]code.Action, error) { return actions, nil }
}

// Edit is a change of a snippet.
type Edit struct {
	By code.Author
	// Fields changes the row; nil: nothing.
	Fields func(*Snippet)
	// Files returns what changes in the files, whose paths it is given; nil: nothing.
	Files func(paths []string) ([]code.Action, error)
}

// Change changes a snippet and its files. Changes of one snippet wait for each other. The files
// come first: a push of a git client locks the repository before the row, too.
func Change(ctx context.Context, st *db.Store, id int64, e Edit) (s Snippet, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if e.Files != nil {
			s.ID = id
			if err := s.commit(ctx, st, e.By, "Update snippet", e.Files); err != nil {
				return err
			}
		}
		s, err = db.One[Snippet](ctx, st, "Snippet", selectSnippets+` where t.id = @id for no key update of t`,
			pgx.NamedArgs{"id": id})
		if err == nil {
			err = st.Locked(ctx)
		}
		if err != nil {
			return err
		}
		if e.Fields != nil {
			was := s.Visibility
			e.Fields(&s)
			if err := checkFields(s); err != nil {
				return err
			}
			if s.Visibility != was {
				if err := tree.CheckVisibility(ctx, st, s.Visibility, e.By.User); err != nil {
					return err
				}
			}
			if err := st.Update(ctx, "snippets", s); err != nil {
				return err
			}
		}
		if s, err = Find(ctx, st, id); err != nil {
			return err
		}
		return event.Emit(ctx, st, Changed{Snippet: s, By: e.By.User})
	})
	return s, err
}

// Delete removes a snippet with its files. It calls unless with the time of the last change, and
// removes nothing if that returns an error.
func Delete(
	ctx context.Context, st *db.Store, id int64, unless func(ctx context.Context, changed time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		// The repository is locked before the row, as by pushes.
		args := pgx.NamedArgs{"id": id}
		if err := st.Exec(ctx, `select from repositories where snippet_id = @id for update`, args); err != nil {
			return err
		}
		s, err := db.One[Snippet](ctx, st, "Snippet", selectSnippets+` where t.id = @id for update of t`, args)
		if err == nil {
			err = st.Locked(ctx)
		}
		if err == nil {
			err = unless(ctx, s.UpdatedAt)
		}
		if err != nil {
			return err
		}
		return st.Exec(ctx, `delete from snippets where id = @id`, args)
	})
}

func checkFields(s Snippet) error {
	var wrong check.Problems
	if strings.TrimSpace(s.Title) == "" {
		wrong.On("title", "can't be blank")
	}
	wrong.Fits("title", s.Title, maxTitle)
	if s.Description != nil {
		wrong.Fits("description", *s.Description, maxDescription)
	}
	return wrong.Err()
}

// commit changes the files of the snippet.
func (s Snippet) commit(
	ctx context.Context, st *db.Store, by code.Author, message string, edit func([]string) ([]code.Action, error),
) error {
	_, err := code.CommitFiles(ctx, st, s.Place(), code.FileCommit{
		By: by, Message: message,
		Edit: func(ctx context.Context, g *code.Git, base code.Commit) ([]code.Action, error) {
			var paths []string
			if !base.ID.IsZero() {
				files, err := filesOf(ctx, g, base.ID.String())
				if err != nil {
					return nil, err
				}
				for _, f := range files {
					paths = append(paths, f.Path)
				}
			}
			actions, err := edit(paths)
			if err == nil {
				err = checkActions(actions)
			}
			return actions, err
		},
	})
	return err
}

// checkActions returns a fault for a file that a snippet cannot have.
func checkActions(actions []code.Action) error {
	if len(actions) > MaxFiles {
		return fault.BadRequest(fmt.Sprintf("files has %d entries: a snippet can have at most %d",
			len(actions), MaxFiles))
	}
	for i, a := range actions {
		if wrong := WrongPath(a.Path); wrong != "" {
			return fault.BadRequest(fmt.Sprintf("files[%d]: %.60q %s", i, a.Path, wrong))
		}
		if a.Do == "move" && WrongPath(a.PreviousPath) != "" {
			return fault.BadRequest(fmt.Sprintf("files[%d]: previous_path %.60q %s", i, a.PreviousPath,
				WrongPath(a.PreviousPath)))
		}
	}
	return nil
}
