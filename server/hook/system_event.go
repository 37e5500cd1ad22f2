package hook

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/people"
	"hew/server/project"
	"hew/server/tree"
)

// systemListeners sends events to system hooks (more-2 §8.5).
var systemListeners = []event.Listener{
	onSystem(func(ctx context.Context, st *db.Store, e project.Created) ([]any, error) {
		return newSystemProjects(ctx, st, "project_create", "", e.Project)
	}),
	onSystem(func(ctx context.Context, st *db.Store, e project.Changed) ([]any, error) {
		switch {
		case e.Project.NamespaceID != e.Was.NamespaceID:
			return newSystemProjects(ctx, st, "project_transfer", e.Was.FullPath, e.Project)
		case e.Project.Path != e.Was.Path:
			return newSystemProjects(ctx, st, "project_rename", e.Was.FullPath, e.Project)
		}
		return newSystemProjects(ctx, st, "project_update", "", e.Project)
	}),
	onSystem(func(ctx context.Context, st *db.Store, e project.BeforeRemoval) ([]any, error) {
		return newSystemProjects(ctx, st, "project_destroy", "", e.Project)
	}),
	onSystem(func(_ context.Context, _ *db.Store, e group.Created) ([]any, error) {
		return []any{newGroupPayload("group_create", e.Group)}, nil
	}),
	onSystem(func(_ context.Context, _ *db.Store, e group.Moved) ([]any, error) {
		return []any{groupRenamePayload{newGroupPayload("group_rename", e.Group), e.Was.Path, e.Was.FullPath}}, nil
	}),
	onSystem(groupRemovalPayloads),
	onSystem(memberPayloads),
	onSystem(func(_ context.Context, _ *db.Store, e people.Created) ([]any, error) {
		return []any{newUserPayload("user_create", e.User)}, nil
	}),
	onSystem(func(_ context.Context, _ *db.Store, e people.Renamed) ([]any, error) {
		return []any{userRenamePayload{newUserPayload("user_rename", e.User), e.Was}}, nil
	}),
	onSystem(userRemovalPayloads),
	onSystem(func(_ context.Context, _ *db.Store, e people.KeyChanged) ([]any, error) {
		return []any{newKeyPayload(e.What, e.Key, e.Owner)}, nil
	}),
}

// onSystem returns a listener that sends the payloads of an event to all system hooks. It reads
// them only if there is one.
func onSystem[E any](payloads func(context.Context, *db.Store, E) ([]any, error)) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e E) error {
		return enqueueDeliveries(ctx, st, occurrence{flag: SystemEvent}, func() ([]any, error) {
			return payloads(ctx, st, e)
		})
	})
}

// groupRemovalPayloads returns the removal of a group, and of all projects and groups in it.
func groupRemovalPayloads(ctx context.Context, st *db.Store, e group.BeforeRemoval) ([]any, error) {
	projects, err := projectsBelow(ctx, st, e.Group.ID)
	if err != nil {
		return nil, err
	}
	payloads, err := newSystemProjects(ctx, st, "project_destroy", "", projects...)
	if err != nil {
		return nil, err
	}
	groups, err := groupsBelow(ctx, st, e.Group.ID)
	for _, g := range append(groups, e.Group) {
		payloads = append(payloads, newGroupPayload("group_destroy", g))
	}
	return payloads, err
}

// userRemovalPayloads returns the removal of users, of their keys, and of the projects in their
// personal namespaces.
func userRemovalPayloads(ctx context.Context, st *db.Store, e people.BeforeRemoval) ([]any, error) {
	var ids, namespaces []int64
	users := map[int64]tree.User{}
	for _, u := range e.Users {
		ids, namespaces, users[u.ID] = append(ids, u.ID), append(namespaces, u.NamespaceID), u
	}
	projects, err := projectsBelow(ctx, st, namespaces...)
	if err != nil {
		return nil, err
	}
	payloads, err := newSystemProjects(ctx, st, "project_destroy", "", projects...)
	if err != nil {
		return nil, err
	}
	keys, err := people.SSHKeysOf(ctx, st, ids)
	for _, k := range keys {
		payloads = append(payloads, newKeyPayload(people.KeyDestroyed, k, users[k.UserID]))
	}
	for _, u := range e.Users {
		payloads = append(payloads, newUserPayload("user_destroy", u))
	}
	return payloads, err
}

// teamEvents holds the names of the events of members of groups for members of projects.
var teamEvents = map[string]string{
	"user_add_to_group":                     "user_add_to_team",
	"user_update_for_group":                 "user_update_for_team",
	"user_remove_from_group":                "user_remove_from_team",
	"user_access_request_to_group":          "user_access_request_to_project",
	"user_access_request_revoked_for_group": "user_access_request_revoked_for_project",
}

// memberPayloads returns changes of memberships in groups and projects.
func memberPayloads(ctx context.Context, st *db.Store, e group.MembersChanged) (payloads []any, err error) {
	var groupIDs, projectIDs []int64
	for _, m := range e.Members {
		if m.NamespaceID != nil {
			groupIDs = append(groupIDs, *m.NamespaceID)
		} else {
			projectIDs = append(projectIDs, *m.ProjectID)
		}
	}
	groups, err := groupsByID(ctx, st, groupIDs)
	if err != nil {
		return nil, err
	}
	projects, err := projectsByID(ctx, st, projectIDs)
	if err != nil {
		return nil, err
	}
	for _, m := range e.Members {
		if m.NamespaceID != nil {
			payloads = append(payloads, newMemberPayload(e.What, m, groups[*m.NamespaceID]))
		} else {
			payloads = append(payloads, newTeamPayload(teamEvents[e.What], m, projects[*m.ProjectID]))
		}
	}
	return payloads, nil
}

// projectsByID returns the projects with these ids.
func projectsByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]tree.Project, error) {
	list, err := db.Many[tree.Project](ctx, s, tree.SelectProjects+` where p.id = any(@ids)`,
		pgx.NamedArgs{"ids": ids})
	projects := map[int64]tree.Project{}
	for _, p := range list {
		projects[p.ID] = p
	}
	return projects, err
}
