package group

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/event"
	"hew/server/jobs"
	"hew/server/people"
)

// Listeners accept invitations and update bots on events of people.
var Listeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e people.EmailConfirmed) error {
		return acceptInvitations(ctx, st, e.UserID)
	}),
	event.On(func(ctx context.Context, st *db.Store, e people.TokenRotated) error {
		return prolongBot(ctx, st, e.Token)
	}),
	event.On(func(ctx context.Context, st *db.Store, e people.TokenRevoked) error {
		return retireBot(ctx, st, e.Token)
	}),
}

// Jobs returns the jobs of groups and users; d synchronizes members.
func Jobs(d *Directory) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(removeMarked),
		jobs.On(removeUser),
		jobs.On(sweep).Each(time.Hour),
		jobs.On(d.Sync),
		jobs.On(d.SyncAll).Each(time.Hour),
	}
}
