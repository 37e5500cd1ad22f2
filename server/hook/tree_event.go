package hook

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/group"
	"hew/server/tree"
)

// The events of groups, projects and members.

// notifySubgroup sends a new group to the hooks of the groups above it.
func notifySubgroup(ctx context.Context, st *db.Store, g, parent tree.Group) error {
	return enqueueDeliveries(ctx, st, occurrence{flag: "subgroup_events", at: audience{groups: []int64{parent.ID}}},
		func() ([]any, error) {
			return []any{newSubgroupPayload("subgroup_create", g, parent)}, nil
		})
}

// notifyProject sends an event of a project to the hooks of the groups around it.
func notifyProject(ctx context.Context, st *db.Store, e string, p tree.Project) error {
	return enqueueDeliveries(ctx, st, occurrence{flag: "project_events", at: audience{groups: []int64{p.NamespaceID}}},
		func() ([]any, error) { return anyOf(newProjectPayloads(ctx, st, e, p)) })
}

// notifyGroupRemoval sends the removal of a group, and of all groups and projects in it, to the
// hooks of the groups above. Hooks inside are deleted with it.
func notifyGroupRemoval(ctx context.Context, st *db.Store, g tree.Group) error {
	at := audience{groups: []int64{*g.ParentID}}
	err := enqueueDeliveries(ctx, st, occurrence{flag: "project_events", at: at}, func() ([]any, error) {
		below, err := projectsBelow(ctx, st, g.ID)
		if err != nil {
			return nil, err
		}
		return anyOf(newProjectPayloads(ctx, st, "project_destroy", below...))
	})
	if err != nil {
		return err
	}
	return enqueueDeliveries(ctx, st, occurrence{flag: "subgroup_events", at: at}, func() (payloads []any, err error) {
		below, err := groupsBelow(ctx, st, g.ID)
		if err != nil {
			return nil, err
		}
		parent, err := tree.FindGroup(ctx, st, *g.ParentID)
		if err != nil {
			return nil, err
		}
		known := map[int64]tree.Group{parent.ID: parent, g.ID: g}
		for _, b := range below {
			known[b.ID] = b
		}
		for _, b := range append(below, g) {
			payloads = append(payloads, newSubgroupPayload("subgroup_destroy", b, known[*b.ParentID]))
		}
		return payloads, nil
	})
}

// notifyMembers sends changes of memberships to the hooks of their groups and of those above.
// Members of projects are sent to system hooks only.
func notifyMembers(ctx context.Context, st *db.Store, e string, members ...group.Member) error {
	members = slices.DeleteFunc(slices.Clone(members), func(m group.Member) bool { return m.NamespaceID == nil })
	if len(members) == 0 {
		return nil
	}
	ids := make([]int64, len(members))
	for i, m := range members {
		ids[i] = *m.NamespaceID
	}
	return enqueueDeliveries(ctx, st, occurrence{flag: "member_events", at: audience{groups: ids}},
		func() (payloads []any, err error) {
			groups, err := groupsByID(ctx, st, ids)
			if err != nil {
				return nil, err
			}
			for _, m := range members {
				g := groups[*m.NamespaceID]
				payloads = append(payloads, payloadWithin{newMemberPayload(e, m, g), g.TraversalIDs})
			}
			return payloads, nil
		})
}

// anyOf returns payloads of one type as payloads of any.
func anyOf[P any](list []P, err error) ([]any, error) {
	payloads := make([]any, len(list))
	for i, p := range list {
		payloads[i] = p
	}
	return payloads, err
}

// projectOwners returns the users who own projects, directly or by a group above, by project.
func projectOwners(ctx context.Context, s *db.Store, list []tree.Project) (map[int64][]ownerPayload, error) {
	ids := make([]int64, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	rows, err := db.Many[struct {
		ProjectID   int64   `db:"project_id"`
		UserID      int64   `db:"user_id"`
		Name        string  `db:"name"`
		PublicEmail *string `db:"public_email"`
	}](ctx, s, `
		select distinct p.id as project_id, u.id as user_id, u.name, u.public_email
		from projects p join namespaces n on n.id = p.namespace_id
		join members m on m.project_id = p.id or m.namespace_id = any(n.traversal_ids)
		join users u on u.id = m.user_id
		where p.id = any(@projects) and not u.bot and `+db.AsOwner+` and `+tree.Live+`
		order by project_id, user_id`, pgx.NamedArgs{"projects": ids})
	owners := map[int64][]ownerPayload{}
	for _, r := range rows {
		owners[r.ProjectID] = append(owners[r.ProjectID], ownerPayload{r.Name, emailOf(r.PublicEmail)})
	}
	return owners, err
}

// groupsByID returns the groups with these ids.
func groupsByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]tree.Group, error) {
	list, err := db.Many[tree.Group](ctx, s, `select n.* from namespaces n where n.id = any(@ids)`,
		pgx.NamedArgs{"ids": ids})
	groups := map[int64]tree.Group{}
	for _, g := range list {
		groups[g.ID] = g
	}
	return groups, err
}

// groupsBelow returns the groups below a group, the deepest first.
func groupsBelow(ctx context.Context, s *db.Store, id int64) ([]tree.Group, error) {
	return db.Many[tree.Group](ctx, s, `
		select n.* from namespaces n where n.traversal_ids @> array[@id::bigint] and n.id <> @id
		order by cardinality(n.traversal_ids) desc, n.id`, pgx.NamedArgs{"id": id})
}

// projectsBelow returns the projects of namespaces and of all groups below them.
func projectsBelow(ctx context.Context, s *db.Store, namespaces ...int64) ([]tree.Project, error) {
	return db.Many[tree.Project](ctx, s, tree.SelectProjects+` where n.traversal_ids && @namespaces::bigint[]
		order by p.id`, pgx.NamedArgs{"namespaces": namespaces})
}
