package code

import (
	"context"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
	"hew/server/tree"
)

// SubmoduleUpdate is a submodule to be set to another commit.
type SubmoduleUpdate struct {
	Project tree.Project
	By      Author
	Branch  string
	Path    string
	Commit  object.ID // of the other repository, which is not asked
	Message string    // "": the usual one
}

// UpdateSubmodule makes a commit that sets a submodule to another commit. It returns 404 if the
// branch does not exist, 400 if the path is not a submodule or is at the commit already, and 403 if
// the author may not push to the branch.
func UpdateSubmodule(ctx context.Context, st *db.Store, u SubmoduleUpdate) (made Commit, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, u.Project)
		if err != nil {
			return err
		}
		branch, err := g.holdRef(ctx, st, Heads+u.Branch)
		if err != nil {
			return err
		}
		if branch.ID.IsZero() {
			return fault.NotFound("Branch")
		}
		if err := g.admitPush(ctx, u.Project, u.By, u.Branch); err != nil {
			return err
		}
		root, err := g.setSubmodule(ctx, u, branch.ID)
		if err != nil {
			return err
		}
		if u.Message == "" {
			u.Message = fmt.Sprintf("Update submodule %s with oid %s", u.Path, u.Commit)
		}
		now := signatureOf(u.By.User, time.Now())
		made, err = g.commit(ctx, u.Project, u.By, branch, &object.Commit{
			Tree: root, Parents: []object.ID{branch.ID}, Author: now, Committer: now, Message: u.Message,
		})
		return err
	})
	return made, err
}

// setSubmodule returns the tree of a commit with the submodule set.
func (g *Git) setSubmodule(ctx context.Context, u SubmoduleUpdate, on object.ID) (root object.ID, err error) {
	if root, err = g.treeOf(ctx, on); err != nil {
		return root, err
	}
	old, err := gittree.Lookup(ctx, g, root, u.Path)
	switch {
	case isMissing(err) || err == nil && old.Mode != object.ModeSubmodule:
		return root, refuse("Invalid submodule path")
	case err != nil:
		return root, err
	case old.ID == u.Commit:
		return root, refuse(fmt.Sprintf("The submodule %s is already at %s", u.Path, u.Commit))
	}
	edit := gittree.Set(u.Path, object.ModeSubmodule, u.Commit)
	root, trees, err := gittree.Apply(ctx, g, root, []gittree.Edit{edit})
	for _, t := range trees {
		g.keep(t.Object)
	}
	return root, err
}
