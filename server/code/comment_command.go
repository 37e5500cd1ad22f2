package code

import (
	"context"
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/tree"
)

// Tagger is who runs the quick actions of a comment on a commit.
type Tagger struct {
	Author
	May bool                     // may make tags, as far as no rule for tags forbids it
	Web func(path string) string // returns the address of a page
}

// RunCommands runs the quick actions of a comment on a commit: "/tag NAME [message]" (more §5).
func (g *Git) RunCommands(
	ctx context.Context, p tree.Project, by Tagger, on Commit, calls []quick.Call,
) (out note.Outcome, err error) {
	for _, c := range calls {
		name, message, _ := strings.Cut(c.Argument, " ")
		message = strings.TrimSpace(message)
		made := false
		if c.Name == "tag" && name != "" && by.May {
			made, err = g.tagByCommand(ctx, p, by, on, NewTag{name, on.ID.String(), message})
			if err != nil {
				return out, err
			}
		}
		if !made {
			out.Failed(fmt.Sprintf("Could not apply %s command.", c.Name))
			continue
		}
		out.Changes = map[string]any{"tag_name": name}
		said := "Tagged this commit to " + name
		if message != "" {
			out.Changes["tag_message"] = message
			said += fmt.Sprintf(" with %q", message)
		}
		out.Applied(said + ".")
	}
	return out, nil
}

// tagByCommand makes a tag on a commit and notes that down there. It reports whether that was
// allowed.
func (g *Git) tagByCommand(ctx context.Context, p tree.Project, by Tagger, on Commit, n NewTag) (bool, error) {
	err := g.st.Tx(ctx, func(st *db.Store) error {
		if _, err := CreateTag(ctx, st, p, by.Author, n); err != nil {
			return err
		}
		page := by.Web(p.FullPath + "/-/tags/" + n.Name)
		return note.AddSystem(ctx, st, g.CommitTarget(on), by.User.ID,
			fmt.Sprintf("tagged commit %s to [`%s`](%s)", on.ID, n.Name, page))
	})
	if _, refused := fault.From(err); refused {
		return false, nil
	}
	return err == nil, err
}
