package work

import (
	"context"

	"hew/server/db"
	"hew/server/people"
)

// beforeUserRemoval gives notes, issues and epics of users to the ghost user, or deletes them.
func beforeUserRemoval(ctx context.Context, st *db.Store, e people.BeforeRemoval) error {
	return e.Bequeath(ctx, st, "notes", "issues", "epics")
}
