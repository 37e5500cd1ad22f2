package group

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/event"
	"hew/server/jobs"
	"hew/server/people"
)

// Listeners are what groups do when something happens to users and tokens.
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

// Jobs are the jobs of groups; d keeps their members in step with an LDAP server.
func Jobs(d *Directory) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(removeMarked),
		jobs.On(removeUser),
		jobs.On(sweep).Each(time.Hour),
		jobs.On(d.Sync),
		jobs.On(d.SyncAll).Each(time.Hour),
	}
}
