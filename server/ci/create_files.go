package ci

import (
	"context"
	"fmt"

	"hew/server/ci/definition"
	"hew/server/ci/document"
	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
	"hew/server/protect"
)

// maxChanged is how many changed files rules can be compared with. Of more, nothing is known.
const maxChanged = 50_000

// changed implements definition.Context.Changed: of a push to a branch that existed, and of its
// child pipelines, the files that it changed, of a merge request those of its diff, and those since
// the merge base with a ref.
func (c *creation) changed(ctx context.Context, compareTo string) (paths []string, known bool, err error) {
	var from, to object.ID
	switch {
	case compareTo != "":
		ref, err := c.git.Resolve(ctx, "Ref", compareTo)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return nil, false, definition.ErrBadRef
		}
		if err != nil {
			return nil, false, err
		}
		to = c.Commit
		if from, err = c.git.MergeBase(ctx, []object.ID{ref, to}); err != nil {
			return nil, false, fault.IgnoreNotFound(err)
		}
	case c.Request != nil && c.Ref == "":
		from, to = c.Request.Base, c.Request.Head
	case (c.Source == ByPush || c.Source == ByParent) && c.kind == protect.Branch:
		from, to = c.Before, c.Commit
	}
	if from.IsZero() {
		return nil, false, nil
	}
	return c.changedBetween(ctx, from, to)
}

// changedBetween returns the paths of the files that differ between two commits.
func (c *creation) changedBetween(ctx context.Context, from, to object.ID) (paths []string, known bool, err error) {
	commits, err := c.git.Commits(ctx, []object.ID{from, to})
	if err != nil {
		return nil, false, err
	}
	if from == to {
		return nil, true, nil
	}
	if len(commits) != 2 {
		return nil, false, nil
	}
	for change, err := range gittree.Diff(ctx, c.git, commits[0].Tree, commits[1].Tree) {
		if err != nil {
			return nil, false, err
		}
		if len(paths) == maxChanged {
			return nil, false, nil
		}
		paths = append(paths, change.Path)
	}
	return paths, true, nil
}

// maxListed is how many files of a commit rules can ask for.
const maxListed = 200_000

// filesOf implements definition.Context.Files.
func (c *creation) filesOf(ctx context.Context, project, ref string) ([]string, error) {
	g, revision := c.git, c.Commit.String()
	if project != "" {
		var err error
		if g, err = c.files.repo(ctx, project); err == document.ErrNoProject {
			return nil, &definition.Error{
				Text: fmt.Sprintf("rules:exists:project `%s` is not a valid project", project),
			}
		} else if err != nil {
			return nil, err
		}
		revision = "HEAD"
	}
	if ref != "" {
		revision = ref
	}
	list, err := g.ListTree(ctx, code.Listing{Revision: revision, Recursive: true, Limit: maxListed})
	if fault.CodeOf(err) == fault.CodeNotFound {
		return nil, &definition.Error{Text: fmt.Sprintf("rules:exists:ref `%s` is not a valid ref in project `%s`",
			revision, project)}
	}
	paths := make([]string, len(list))
	for n, f := range list {
		paths[n] = f.Path
	}
	return paths, err
}
