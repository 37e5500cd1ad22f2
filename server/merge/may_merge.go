package merge

import (
	"context"

	"hew/server/code"
	"hew/server/db"
	"hew/server/protect"
	"hew/server/tree"
)

// MayMerge reports whether somebody, whose level is the one in the project, may merge into a branch
// of it. Whether a merge request is ready is another question: see Statuses.
func MayMerge(ctx context.Context, st *db.Store, p tree.Project, by code.Author, branch string) (bool, error) {
	if by.User.ID == 0 || p.Archived {
		return false, nil
	}
	protection, err := protect.ReadProtection(ctx, st, p.ID, by.Pusher)
	return err == nil && protection.MayMerge(branch), err
}

// authorIn returns a user as who changes a project through the API.
func authorIn(ctx context.Context, st *db.Store, p tree.Project, u tree.User) (code.Author, error) {
	standings, err := tree.Standings(ctx, st, p.Container(), []int64{u.ID})
	return code.Author{Pusher: protect.Pusher{Who: standings[u.ID].Who()}, User: u, Web: true}, err
}
