package forge

import (
	"context"

	"hew/server/event"
	"hew/server/jobs"
	"hew/server/store"
)

// MembersChanged is emitted when memberships were added, changed or removed.
type MembersChanged struct {
	What    string // memberAdded, memberChanged or memberRemoved
	Members []store.Member
}

// The events of members.
const (
	memberAdded   = "user_add_to_group"
	memberChanged = "user_update_for_group"
	memberRemoved = "user_remove_from_group"
)

// SubgroupCreated is emitted when a group was created below another one.
type SubgroupCreated struct{ Group, Parent store.Group }

// AccessLost is emitted when users or groups may have lost access to a source and what is below it.
type AccessLost struct {
	Source store.Source
	User   *int64 // nil: anybody
}

func tellMembers(ctx context.Context, st *store.Store, q *jobs.Queue, what string, members ...store.Member) error {
	return event.Emit(ctx, st, q, MembersChanged{what, members})
}

func tellSubgroup(ctx context.Context, st *store.Store, q *jobs.Queue, g, parent store.Group) error {
	return event.Emit(ctx, st, q, SubgroupCreated{g, parent})
}

// memberOf is the membership that a user has of a group since it is there, or would have.
func memberOf(g store.Group, u store.User, level int) store.Member {
	return store.Member{
		UserID: u.ID, NamespaceID: &g.ID, AccessLevel: level, CreatedAt: g.CreatedAt, UpdatedAt: g.CreatedAt,
		Username: u.Username, Name: u.Name, PublicEmail: u.PublicEmail,
	}
}
