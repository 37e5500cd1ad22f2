package group

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/tree"
)

// MembersChanged is emitted after memberships were added, changed, removed or asked for.
type MembersChanged struct {
	What    string // one of the events below
	Members []Member
}

// The events of members.
const (
	memberAdded   = "user_add_to_group"
	memberChanged = "user_update_for_group"
	memberRemoved = "user_remove_from_group"

	accessRequested = "user_access_request_to_group"
	accessDenied    = "user_access_request_revoked_for_group"
)

// SubgroupCreated is emitted after a group was created below another one.
type SubgroupCreated struct{ Group, Parent tree.Group }

// AccessLost is emitted after users or groups may have lost access to a source and what is below
// it.
type AccessLost struct {
	Source tree.Source
	User   *int64 // nil: anybody
}

func emitMembersChanged(ctx context.Context, st *db.Store, what string, members ...Member) error {
	return event.Emit(ctx, st, MembersChanged{what, members})
}

// MemberOf returns the membership that a user has in a group since its creation, or would have.
func MemberOf(g tree.Group, u tree.User, level int) Member {
	return Member{
		UserID: u.ID, NamespaceID: &g.ID, AccessLevel: level, CreatedAt: g.CreatedAt, UpdatedAt: g.CreatedAt,
		Username: u.Username, Name: u.Name, PublicEmail: u.PublicEmail,
	}
}

// BeforeRemoval is emitted before a group is removed with all that is below it.
type BeforeRemoval struct{ Group tree.Group }
