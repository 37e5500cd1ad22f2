package server

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/hook"
	"hew/server/jobs"
	"hew/server/people"
	"hew/server/project"
	"hew/server/protect"
)

// What listens to what, in the order in which it happens.
func init() {
	event.On(func(ctx context.Context, st *db.Store, _ *jobs.Queue, e group.AccessLost) error {
		return protect.PruneRefLevels(ctx, st, e.Source, e.User)
	})
	event.On(func(ctx context.Context, st *db.Store, _ *jobs.Queue, e project.ProjectCreated) error {
		return protect.InheritPushRule(ctx, st, e.Project)
	})
	event.On(func(ctx context.Context, st *db.Store, q *jobs.Queue, e project.ProjectCreated) error {
		return hook.TellProject(ctx, st, q, "project_create", e.Project.NamespaceID, e.Project)
	})
	event.On(func(ctx context.Context, st *db.Store, q *jobs.Queue, e group.MembersChanged) error {
		return hook.HookMembers(ctx, st, q, e.What, e.Members...)
	})
	event.On(func(ctx context.Context, st *db.Store, q *jobs.Queue, e group.SubgroupCreated) error {
		return hook.HookSubgroup(ctx, st, q, e.Group, e.Parent)
	})
	event.On(func(ctx context.Context, st *db.Store, q *jobs.Queue, e people.EmailConfirmed) error {
		return group.AcceptInvitations(ctx, st, q, e.UserID)
	})
	event.On(func(ctx context.Context, st *db.Store, _ *jobs.Queue, e people.TokenRotated) error {
		return group.ProlongBot(ctx, st, e.Token)
	})
	event.On(func(ctx context.Context, st *db.Store, q *jobs.Queue, e people.TokenRevoked) error {
		return group.RetireBot(ctx, st, q, e.Token)
	})
}
