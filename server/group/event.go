package group

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/tree"
)

// MembersChanged is emitted after memberships were added, changed, removed or asked for.
type MembersChanged struct {
	What    string // MemberAdded or another event below
	Members []Member
}

// MemberAdded is the event of users who became members, of a group or of a project, as are the
// others. RequestAdded and RequestRemoved are those of requests for access.
const (
	MemberAdded   = "user_add_to_group"
	memberChanged = "user_update_for_group"
	MemberRemoved = "user_remove_from_group"

	RequestAdded   = "user_access_request_to_group"
	RequestRemoved = "user_access_request_revoked_for_group"
)

// Created is emitted after a group was created.
type Created struct {
	Group  tree.Group
	Parent *tree.Group // nil for a top-level group
}

// Moved is emitted after the full path of a group changed, by its path or by its parent. Those of
// the groups below, which change with it, are not emitted.
type Moved struct{ Was, Group tree.Group }

// AccessLost is emitted after users or groups may have lost access to a source and what is below
// it.
type AccessLost struct {
	Source tree.Source
	User   *int64 // nil: anybody
}

// emitMembersChanged emits MembersChanged unless there are no members.
func emitMembersChanged(ctx context.Context, st *db.Store, what string, members ...Member) error {
	if len(members) == 0 {
		return nil
	}
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
