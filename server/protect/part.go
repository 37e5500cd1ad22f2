package protect

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/project"
)

// Listeners are what protections do when access is lost and projects are made.
var Listeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e group.AccessLost) error {
		return removeLostRefLevels(ctx, st, e.Source, e.User)
	}),
	event.On(func(ctx context.Context, st *db.Store, e project.Created) error {
		return inheritPushRule(ctx, st, e.Project)
	}),
}
