package protect

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/project"
)

// Listeners keep protections right when users lose access and when projects are created.
var Listeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e group.AccessLost) error {
		return removeLostRefLevels(ctx, st, e.Source, e.User)
	}),
	event.On(func(ctx context.Context, st *db.Store, e project.Created) error {
		return inheritPushRule(ctx, st, e.Project)
	}),
}
