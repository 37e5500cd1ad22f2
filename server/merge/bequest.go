package merge

import (
	"context"

	"hew/server/db"
	"hew/server/people"
)

// beforeUserRemoval gives merge requests of users to the ghost user, or deletes them.
func beforeUserRemoval(ctx context.Context, st *db.Store, e people.BeforeRemoval) error {
	return e.Bequeath(ctx, st, "merge_requests")
}
