package merge

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/tree"
)

// Suggestion is a suggestion with what it is about.
type Suggestion struct {
	ID        int64        `db:"id"`
	NoteID    int64        `db:"note_id"`
	Above     int          `db:"lines_above"`
	Below     int          `db:"lines_below"`
	FromText  string       `db:"from_content"`
	ToText    string       `db:"to_content"`
	Applied   bool         `db:"applied"`
	Outdated  bool         `db:"outdated"`
	RequestID int64        `db:"merge_request_id"`
	Thread    string       `db:"discussion_id"`
	Author    *tree.Person `db:"author"`
	AuthorID  *int64       `db:"author_id"`
	Position  []byte       `db:"position"`

	at note.Position
}

// Suggestions returns suggestions with these ids, in the order of the ids: fewer if some do not
// exist.
func Suggestions(ctx context.Context, s *db.Store, ids []int64) ([]Suggestion, error) {
	list, err := db.Many[Suggestion](ctx, s, `
		select s.id, s.note_id, s.lines_above, s.lines_below, s.from_content, s.to_content,
		    s.applied_oid is not null as applied, s.outdated, t.merge_request_id, t.discussion_id, t.author_id,
		    `+tree.PersonColumn("t.author_id")+` as author, t.position
		from suggestions s join notes t on t.id = s.note_id
		where s.id = any(@ids) and t.merge_request_id is not null order by s.id`,
		pgx.NamedArgs{"ids": ids})
	for n := range list {
		p, err := note.PositionOf(note.Note{Position: list[n].Position})
		if err != nil || p == nil {
			return nil, err
		}
		list[n].at = *p
	}
	return list, err
}

// first and last return the lines that the suggestion replaces.
func (s Suggestion) first() int { return *s.at.NewLine - s.Above }
func (s Suggestion) last() int  { return *s.at.NewLine + s.Below }

// Apply is suggestions that are to become a commit on the source branch of their merge request.
type Apply struct {
	Request     Request
	Source      tree.Project
	By          code.Author // in the source project
	List        []Suggestion
	Message     string // "": as the template of the target project says
	Template    string // "": the usual one
	ProjectName string // of the target, for the message
	ProjectPath string
}

// ApplySuggestions makes one commit of suggestions, and resolves their threads (more §2.3). It
// returns 400 if they do not apply, and 403 if the user may not push to the source branch.
func ApplySuggestions(ctx context.Context, st *db.Store, a Apply) error {
	slices.SortFunc(a.List, func(x, y Suggestion) int { return int(x.ID - y.ID) })
	return st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "suggestions of "+a.Request.Target().String()); err != nil {
			return err
		}
		if err := a.check(); err != nil {
			return err
		}
		actions, err := a.actions(ctx, st)
		if err != nil {
			return err
		}
		message, err := a.message(ctx, st, actions)
		if err != nil {
			return err
		}
		n := code.NewCommit{
			Project: a.Source, By: a.By, Branch: a.Request.SourceBranch, Message: message, Actions: actions,
		}
		if author, err := a.author(ctx, st); err != nil {
			return err
		} else if author != nil {
			n.AuthorName, n.AuthorEmail = author.Name, emailOf(*author)
		}
		made, err := code.CreateCommit(ctx, st, n)
		if err != nil {
			return err
		}
		return a.finish(ctx, st, made)
	})
}

// check returns why the suggestions cannot be applied, as far as rows tell.
func (a Apply) check() error {
	refuse := func(text string) error { return fault.BadRequest(text) }
	for _, s := range a.List {
		many := s.Above+s.Below > 0
		switch {
		case s.Applied:
			return refuse("Can't apply this suggestion.")
		case a.Request.State == Merged:
			return refuse("This merge request was merged. To apply this suggestion, edit this file directly.")
		case a.Request.State != Opened:
			return refuse("This merge request is closed. To apply this suggestion, edit this file directly.")
		case s.Outdated && many:
			return refuse(linesChanged)
		case s.Outdated, s.at.NewLine == nil:
			return refuse(lineChanged)
		case s.FromText == s.ToText:
			return refuse("This suggestion already matches its content.")
		}
	}
	return nil
}

const (
	lineChanged  = "Can't apply as this line was changed in a more recent version."
	linesChanged = "Can't apply as these lines were changed in a more recent version."
)

// actions returns the changes of the files.
func (a Apply) actions(ctx context.Context, st *db.Store) (list []code.Action, err error) {
	g, err := code.Open(ctx, st, a.Source)
	if err != nil {
		return nil, err
	}
	branch, err := g.FindBranch(ctx, "Branch", code.Heads+a.Request.SourceBranch)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return nil, fault.BadRequest("Can't apply as the source branch was deleted.")
	case err != nil:
		return nil, err
	case branch.Commit.ID != a.Request.Head:
		return nil, fault.BadRequest("A file has been changed.")
	}
	byPath := map[string][]Suggestion{}
	var paths []string
	for _, s := range a.List {
		if s.at.HeadSHA != a.Request.Head.String() {
			return nil, fault.BadRequest("A file has been changed.")
		}
		if byPath[s.at.NewPath] == nil {
			paths = append(paths, s.at.NewPath)
		}
		byPath[s.at.NewPath] = append(byPath[s.at.NewPath], s)
	}
	for _, path := range paths {
		lines, err := linesOf(ctx, st, a.Source, a.Request.Head.String(), path)
		if fault.CodeOf(err) == fault.CodeNotFound {
			err = fault.BadRequest("A file was not found.")
		}
		if err == nil {
			lines, err = replaced(lines, byPath[path])
		}
		if err != nil {
			return nil, err
		}
		text := base64.StdEncoding.EncodeToString([]byte(strings.Join(lines, "")))
		list = append(list, code.Action{Do: "update", Path: path, Content: &text, Encoding: "base64"})
	}
	return list, nil
}

// replaced returns the lines of a file with its suggestions applied.
func replaced(lines []string, list []Suggestion) (now []string, err error) {
	slices.SortFunc(list, func(x, y Suggestion) int { return x.first() - y.first() })
	at := 0 // lines that are done
	for _, s := range list {
		first, last := s.first(), s.last()
		switch {
		case first-1 < at:
			return nil, fault.BadRequest("Suggestions are not applicable as their lines cannot overlap.")
		case last > len(lines) || textColumn(strings.Join(lines[first-1:last], "")) != s.FromText:
			if first == last {
				return nil, fault.BadRequest(lineChanged)
			}
			return nil, fault.BadRequest(linesChanged)
		}
		now = append(now, lines[at:first-1]...)
		now = append(now, likeLines(s.ToText, lines[last-1]))
		at = last
	}
	return append(now, lines[at:]...), nil
}

// likeLines gives a text the line ends of a line that it replaces.
func likeLines(text, line string) string {
	switch {
	case !strings.HasSuffix(line, "\n"): // the last one of the file
		return strings.TrimSuffix(text, "\n")
	case strings.HasSuffix(line, "\r\n"):
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// finish notes that the suggestions are applied, and resolves their threads.
func (a Apply) finish(ctx context.Context, st *db.Store, made code.Commit) error {
	ids, threads := make([]int64, len(a.List)), make([]string, len(a.List))
	for n, s := range a.List {
		ids[n], threads[n] = s.ID, s.Thread
	}
	err := st.Exec(ctx, `update suggestions set applied_oid = @oid where id = any(@ids)`,
		pgx.NamedArgs{"oid": made.ID, "ids": ids})
	if err != nil {
		return err
	}
	return note.Resolve(ctx, st, a.Request.Target(), a.By.User.ID, true, threads...)
}
