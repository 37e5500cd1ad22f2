package hook

import (
	"context"
	"slices"
	"time"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/project"
)

// Listeners returns what sends events of other domains to hooks. Pages are at the address web.
func Listeners(web string) []event.Listener {
	return slices.Concat(treeListeners, systemListeners,
		[]event.Listener{pushListener(web), releaseListener(web), wikiListener(web), issueListener(web),
			requestListener(web), pipelineListener(web),
			deploymentListener(web)},
		noteListeners(web), emojiListeners(web), milestoneListeners)
}

// treeListeners sends events to the hooks of groups and projects.
var treeListeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e project.Created) error {
		return notifyProject(ctx, st, "project_create", e.Project)
	}),
	event.On(func(ctx context.Context, st *db.Store, e project.BeforeRemoval) error {
		return notifyProject(ctx, st, "project_destroy", e.Project)
	}),
	event.On(func(ctx context.Context, st *db.Store, e group.MembersChanged) error {
		return notifyMembers(ctx, st, e.What, e.Members...)
	}),
	event.On(func(ctx context.Context, st *db.Store, e group.Created) error {
		if e.Parent == nil {
			return nil // no group is above it
		}
		return notifySubgroup(ctx, st, e.Group, *e.Parent)
	}),
	event.On(func(ctx context.Context, st *db.Store, e group.BeforeRemoval) error {
		if e.Group.ParentID == nil {
			return nil // no group is above it
		}
		return notifyGroupRemoval(ctx, st, e.Group)
	}),
}

// Jobs returns the jobs of hooks; s sends the deliveries.
func Jobs(s *Sender) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(s.deliver),
		jobs.On(notifyExpiring).Each(time.Hour),
		jobs.On(removeOldLogs).Each(time.Hour),
	}
}
