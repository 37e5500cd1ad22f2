package work

import (
	"context"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// transferTo returns the project with a path, and whether the actor may make and edit issues there
// and in the project of the issue. The zero project stands for one that the actor may not use.
func transferTo(ctx context.Context, st *db.Store, r *issueRun, path string) (p tree.Project, err error) {
	found, err := tree.ProjectFor(ctx, st, path, r.Actor.User.ID)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	for _, in := range []tree.Project{r.on.Project, found.Project} {
		if may, err := mayEditIssues(ctx, st, in, r.Actor.User); err != nil || !may {
			return p, err
		}
	}
	return found.Project, nil
}

func moveIssue(ctx context.Context, st *db.Store, r *issueRun, i *Issue, path string) (string, error) {
	if i.ID == 0 || i.MovedToID != nil {
		return "", nil
	}
	to, err := transferTo(ctx, st, r, path)
	if err != nil {
		return "", err
	}
	if to.ID == 0 || to.ID == r.on.Project.ID {
		return "", FailedCommand("Unable to move. Insufficient permissions.")
	}
	r.Afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		_, err := MoveIssue(ctx, st, r.on.Project, to, r.Actor.User, i)
		return err
	})
	return "Moved this item to " + to.FullPath + ".", nil
}

func cloneIssue(ctx context.Context, st *db.Store, r *issueRun, i *Issue, argument string) (string, error) {
	if i.ID == 0 {
		return "", nil
	}
	path, withNotes := r.on.Project.FullPath, false
	for _, word := range strings.Fields(argument) {
		if word == "--with_notes" {
			withNotes = true
		} else {
			path = word
		}
	}
	to, err := transferTo(ctx, st, r, path)
	if err != nil {
		return "", err
	}
	if to.ID == 0 {
		return "", FailedCommand("Unable to clone. Insufficient permissions.")
	}
	r.Changes("clone_with_notes", withNotes)
	r.Afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		_, err := CloneIssue(ctx, st, r.on.Project, to, r.Actor.User, i, withNotes)
		return err
	})
	return "Cloned this item to " + to.FullPath + ".", nil
}

// promote makes the issue an epic of the group of its project.
func promote(ctx context.Context, st *db.Store, r *issueRun, i *Issue, _ string) (string, error) {
	if i.ID == 0 {
		return "", nil
	}
	if _, err := mayPromote(ctx, st, r.on.Project, r.Actor.User, *i); err != nil {
		if _, refused := fault.From(err); refused {
			return "", nil
		}
		return "", err
	}
	r.Changes("promote_to_epic", true)
	r.Afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		_, err := PromoteIssue(ctx, st, r.on.Project, r.Actor.User, i)
		return err
	})
	return "Promoted issue to an epic.", nil
}
