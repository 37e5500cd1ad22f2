package forge

import (
	"context"
	"slices"

	"hew/server/jobs"
	"hew/server/store"
)

// What happens to groups, projects and members, as the hooks around them are told.

// hookSubgroup tells the groups above of a group that is new.
func hookSubgroup(ctx context.Context, st *store.Store, q *jobs.Queue, g, parent store.Group) error {
	return tell(ctx, st, q, happening{flag: "subgroup_events", at: store.Audience{Group: parent.ID}}, func() ([]any, error) {
		return []any{newSubgroupPayload("subgroup_create", g, parent)}, nil
	})
}

// tellProject tells the groups from one upwards of projects.
func tellProject(ctx context.Context, st *store.Store, q *jobs.Queue, event string, group int64, list ...store.Project) error {
	return tell(ctx, st, q, happening{flag: "project_events", at: store.Audience{Group: group}}, func() ([]any, error) {
		told := make([]any, len(list))
		for i, p := range list {
			payload, err := newProjectPayload(ctx, st, event, p)
			if err != nil {
				return nil, err
			}
			told[i] = payload
		}
		return told, nil
	})
}

// tellEnd tells the groups above of a subgroup that is about to be removed, and of all groups and projects that go with it.
// Their own hooks go, too: nobody is left to be told by those.
func tellEnd(ctx context.Context, st *store.Store, q *jobs.Queue, g store.Group) error {
	at := store.Audience{Group: *g.ParentID}
	err := tell(ctx, st, q, happening{flag: "project_events", at: at}, func() (told []any, err error) {
		below, err := st.ProjectsBelow(ctx, g.ID)
		if err != nil {
			return nil, err
		}
		for _, p := range below {
			payload, err := newProjectPayload(ctx, st, "project_destroy", p)
			if err != nil {
				return nil, err
			}
			told = append(told, payload)
		}
		return told, nil
	})
	if err != nil {
		return err
	}
	return tell(ctx, st, q, happening{flag: "subgroup_events", at: at}, func() (told []any, err error) {
		below, err := st.GroupsBelow(ctx, g.ID)
		if err != nil {
			return nil, err
		}
		parent, err := st.Group(ctx, *g.ParentID)
		if err != nil {
			return nil, err
		}
		known := map[int64]store.Group{parent.ID: parent, g.ID: g}
		for _, b := range below {
			known[b.ID] = b
		}
		for _, b := range append(below, g) {
			told = append(told, newSubgroupPayload("subgroup_destroy", b, known[*b.ParentID]))
		}
		return told, nil
	})
}

// hookMembers tells groups, and those above them, what became of memberships. Of members of projects nobody is told.
func hookMembers(ctx context.Context, st *store.Store, q *jobs.Queue, event string, members ...store.Member) error {
	byGroup := map[int64][]store.Member{}
	var order []int64
	for _, m := range members {
		if m.NamespaceID == nil {
			continue
		}
		if !slices.Contains(order, *m.NamespaceID) {
			order = append(order, *m.NamespaceID)
		}
		byGroup[*m.NamespaceID] = append(byGroup[*m.NamespaceID], m)
	}
	for _, id := range order {
		err := tell(ctx, st, q, happening{flag: "member_events", at: store.Audience{Group: id}}, func() ([]any, error) {
			g, err := st.Group(ctx, id)
			if err != nil {
				return nil, err
			}
			var told []any
			for _, m := range byGroup[id] {
				told = append(told, newMemberPayload(event, m, g))
			}
			return told, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
