package snippet

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
	"hew/server/setting"
)

// DefaultName is the name of a file whose creator does not say one.
const DefaultName = "snippetfile1.txt"

// The limits of files.
const (
	MaxFiles = 10  // of a snippet
	maxPath  = 255 // bytes
)

// maxEntries is how many files and directories of a push are looked at.
const maxEntries = 100

// Listeners are what the domain does about the events of others.
var Listeners = []event.Listener{event.On(onPush), event.On(beforeUserRemoval)}

// onPush refuses what a snippet cannot be, and notes the names of its files.
func onPush(ctx context.Context, st *db.Store, e code.SnippetPushed) error {
	for _, c := range e.Changes {
		if c.Ref != code.Heads+code.SnippetHead || c.After.IsZero() {
			return code.Refused{Text: "You can not create or delete branches or tags of a snippet: push to " +
				code.SnippetHead + "."}
		}
	}
	files, err := filesOf(ctx, e.Git, code.SnippetHead)
	if err != nil {
		return err
	}
	if err := checkFiles(ctx, st, e.Git, files); err != nil {
		return err
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return st.Exec(ctx, `update snippets set files = @files, updated_at = now() where id = @id`,
		pgx.NamedArgs{"id": e.Git.SnippetID, "files": paths})
}

// filesOf returns the files of a revision, in git's order. It ends after one more than there may
// be, and refuses a revision with so many directories that it has not seen all files.
func filesOf(ctx context.Context, g *code.Git, revision string) (files []gittree.File, err error) {
	list, err := g.ListTree(ctx, code.Listing{Revision: revision, Recursive: true, Limit: maxEntries})
	for _, f := range list {
		if f.Entry.Mode != object.ModeDir {
			files = append(files, f)
		}
	}
	if err == nil && len(list) == maxEntries && len(files) <= MaxFiles {
		err = code.Refused{
			Text: fmt.Sprintf("The repository can contain at most %d files and directories.", maxEntries-1),
		}
	}
	return files[:min(len(files), MaxFiles+1)], err
}

// checkFiles returns Refused if a snippet cannot have the files.
func checkFiles(ctx context.Context, st *db.Store, g *code.Git, files []gittree.File) error {
	switch {
	case len(files) == 0:
		return code.Refused{Text: "The repository must contain at least 1 file."}
	case len(files) > MaxFiles:
		return code.Refused{Text: fmt.Sprintf("The repository can contain at most %d files.", MaxFiles)}
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	size := int64(0)
	for _, f := range files {
		if wrong := WrongPath(f.Path); wrong != "" {
			return code.Refused{Text: fmt.Sprintf("The file %.60q %s.", f.Path, wrong)}
		}
		if f.Entry.Mode == object.ModeSubmodule {
			return code.Refused{Text: fmt.Sprintf("%q is a submodule. A snippet can contain files only.", f.Path)}
		}
		more, err := g.Size(ctx, f.Entry.ID)
		if err != nil {
			return err
		}
		size += more
	}
	if most := settings.SnippetSizeLimit; most > 0 && size > most {
		return code.Refused{Text: fmt.Sprintf("The files have %d bytes together. The maximum size is %d bytes.",
			size, most)}
	}
	return nil
}

// WrongPath returns what is wrong with the path of a file, "" if nothing is.
func WrongPath(path string) string {
	switch {
	case strings.TrimSpace(path) == "":
		return "has no name"
	case len(path) > maxPath:
		return fmt.Sprintf("has a path that is too long (maximum is %d bytes)", maxPath)
	case !utf8.ValidString(path):
		return "has a path that is not UTF-8"
	case strings.HasPrefix(path, "/"):
		return "has an absolute path"
	case object.CheckPath(path) != nil:
		return "has a path that git does not allow"
	}
	return ""
}

// File is a file of a snippet at a revision.
type File struct {
	Path string
	Data []byte
}

// ReadFile returns a file of a snippet at a revision, such as "main". It returns a not-found fault
// about Reference or File.
func (s Snippet) ReadFile(ctx context.Context, st *db.Store, revision, path string) (File, error) {
	g, err := s.Place().Open(ctx, st)
	if err != nil {
		return File{}, err
	}
	id, err := g.Resolve(ctx, "Reference", revision)
	if err != nil {
		return File{}, err
	}
	f, err := g.FindFile(ctx, id.String(), path)
	return File{f.Path, f.Data}, err
}

// First returns the first file of a snippet.
func (s Snippet) First(ctx context.Context, st *db.Store) (File, error) {
	if len(s.Files) == 0 {
		return File{}, fault.NotFound("File")
	}
	return s.ReadFile(ctx, st, code.SnippetHead, s.Files[0])
}
