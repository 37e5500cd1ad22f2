package group

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// CreateShare invites a group, whose members then have the role here, or their own if that is less (spec 2 §4.5, gaps
// §3.2 and §4.2). It returns the id of the share. Whether the actor may know of the group is for the caller to judge.
func CreateShare(ctx context.Context, st *db.Store, r Roster, group tree.Group, role Role) (int64, error) {
	r.Minimal = false // minimal access is not handed on
	if err := r.checkAs("group_access", role); err != nil {
		return 0, err
	}
	rules, err := FindSharing(ctx, st, r.Source)
	if err != nil {
		return 0, err
	}
	if err := r.mayShare(group, rules); err != nil {
		return 0, err
	}
	share := NewShare(r.Source, group, role.Level)
	share.ExpiresAt = role.ExpiresAt
	return InsertShare(ctx, st, share)
}

// mayShare says what keeps a group from being invited, if anything.
func (r Roster) mayShare(group tree.Group, rules Sharing) error {
	switch {
	case rules.Locked && r.Source.InProject():
		return fault.BadRequest("The project sharing with group is disabled").In(fault.Text)
	case rules.Inside && group.TraversalIDs[0] != r.Source.Root():
		return fault.NotFound("404 Not Found - the top-level group has prevent_sharing_groups_outside_hierarchy on").In(fault.Text)
	case r.Source.Around(group.ID):
		return fault.Conflict("Project cannot be shared with the group it is in or one of its ancestors.")
	case r.Source.IsGroup(group.ID):
		return fault.Conflict("Group cannot be shared with itself.")
	}
	return nil
}

// DeleteShare takes the invitation of a group back, and what was allowed to it and to those who were here by it alone. Nobody
// takes back what he could not give.
func DeleteShare(ctx context.Context, st *db.Store, r Roster, groupID int64) error {
	share, err := FindShare(ctx, st, r.Source, groupID)
	if err != nil {
		return err
	}
	if !policy.MayGrant(r.By, policy.Level(share.GroupAccess)) {
		return fault.Forbidden("group_access is above your own")
	}
	return st.Tx(ctx, func(st *db.Store) error {
		if err := removeShare(ctx, st, share.ID); err != nil {
			return err
		}
		return event.Emit(ctx, st, AccessLost{Source: r.Source})
	})
}
