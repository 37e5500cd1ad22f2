package code

import (
	"context"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/protect"
)

// RemoveSource removes the source branch of a request that has landed, if it points to head still
// and the author, whose level is the one in the project of the branch, may: it is neither protected
// nor the default branch. It reports whether the branch was removed.
func RemoveSource(ctx context.Context, st *db.Store, b BranchOf, by Author, head object.ID) (removed bool, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, b.Project)
		if err != nil {
			return err
		}
		ref, err := g.holdRef(ctx, st, Heads+b.Branch)
		if err != nil || ref.ID != head {
			return err
		}
		may, err := g.mayRemove(ctx, b, by)
		if err != nil || !may {
			return err
		}
		results, err := g.push(ctx, change{
			Project: b.Project, By: by, Updates: []Update{{Ref: ref.Name, Old: ref.ID}},
		})
		removed = err == nil && results[0] == ""
		return err
	})
	return removed, err
}

// mayRemove reports whether the author may remove a branch after its request has landed.
func (g *Git) mayRemove(ctx context.Context, b BranchOf, by Author) (bool, error) {
	if b.Branch == g.Head || by.DeployKeyID != 0 || !by.Admin && by.Level < policy.Developer {
		return false, nil
	}
	protection, err := g.readProtection(ctx, b.Project, by.Pusher)
	return err == nil && !protection.Protects(protect.Branch, b.Branch), err
}
