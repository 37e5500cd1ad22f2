package forge

import (
	"context"

	"hew/server/event"
	"hew/server/jobs"
	"hew/server/store"
)

// What listens to what, in the order in which it happens.
func init() {
	event.On(func(ctx context.Context, st *store.Store, _ *jobs.Queue, e AccessLost) error {
		return st.PruneRefLevels(ctx, e.Source, e.User)
	})
	event.On(func(ctx context.Context, st *store.Store, _ *jobs.Queue, e ProjectCreated) error {
		return st.InheritPushRule(ctx, e.Project)
	})
	event.On(func(ctx context.Context, st *store.Store, q *jobs.Queue, e ProjectCreated) error {
		return tellProject(ctx, st, q, "project_create", e.Project.NamespaceID, e.Project)
	})
	event.On(func(ctx context.Context, st *store.Store, q *jobs.Queue, e MembersChanged) error {
		return hookMembers(ctx, st, q, e.What, e.Members...)
	})
	event.On(func(ctx context.Context, st *store.Store, q *jobs.Queue, e SubgroupCreated) error {
		return hookSubgroup(ctx, st, q, e.Group, e.Parent)
	})
	event.On(func(ctx context.Context, st *store.Store, q *jobs.Queue, e EmailConfirmed) error {
		return acceptInvitations(ctx, st, q, e.UserID)
	})
	event.On(func(ctx context.Context, st *store.Store, _ *jobs.Queue, e TokenRotated) error {
		return prolongBot(ctx, st, e.Token)
	})
	event.On(func(ctx context.Context, st *store.Store, q *jobs.Queue, e TokenRevoked) error {
		return retireBot(ctx, st, q, e.Token)
	})
}
