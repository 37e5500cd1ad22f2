package group

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
)

// check returns a fault if r.By cannot grant the role here.
func (r Roster) check(role Role) error { return r.checkAs("access_level", role) }

// checkAs is check with another name of the level's field.
func (r Roster) checkAs(field string, role Role) error {
	level := policy.Level(role.Level)
	switch {
	case policy.Roles[level] == "", level == policy.Minimal && !r.Minimal:
		return fault.Invalid(field, "is not included in the list")
	case !policy.MayGrant(r.By, level):
		return fault.Forbidden(field + " is above your own")
	case role.CustomID != nil: // there are no custom roles
		return fault.Invalid("member_role", "does not exist")
	case role.ExpiresAt != nil && role.ExpiresAt.Before(db.Today().Time):
		return fault.Invalid("expires_at", "cannot be a date in the past")
	}
	return nil
}

// checkUnlocked returns a fault if a group around the project forbids direct members.
func (r Roster) checkUnlocked(ctx context.Context, st *db.Store) error {
	locked, err := isMembershipLocked(ctx, st, r.Source)
	if err == nil && locked {
		err = fault.NotAllowed("405 Method Not Allowed - a group around the project has membership_lock on")
	}
	return err
}

// checkInherited returns a fault if the level is below the one that the user inherits.
func checkInherited(c candidate, level int) error {
	if level >= c.Inherited {
		return nil
	}
	return fault.Invalid("access_level",
		fmt.Sprintf("should be greater than or equal to %s inherited membership from group %s",
			policy.Roles[policy.Level(c.Inherited)], c.From))
}

// checkMayChange returns a fault if r.By may not change the role of a member.
func (r Roster) checkMayChange(m Member) error {
	switch {
	case r.Source.IsHolder(m.UserID):
		return fault.Forbidden("a personal project stays with its owner")
	case !policy.Can(r.By, r.Need, policy.On{}):
		return fault.Forbidden("")
	case m.Bot:
		return fault.Forbidden("a bot is a member as long as its access token is good")
	case !policy.MayGrant(r.By, policy.Level(m.AccessLevel)):
		return fault.Forbidden("the member's access_level is above your own")
	}
	return nil
}

// checkMayRemove returns a fault if r.By may not remove a member. Everybody may leave, apart from
// bots.
func (r Roster) checkMayRemove(m Member) error {
	if m.UserID == r.By.ID && !m.Bot && !r.Source.IsHolder(m.UserID) {
		return nil
	}
	return r.checkMayChange(m)
}

// checkNewRole returns a fault if nobody could change the member was to m.
func (r Roster) checkNewRole(ctx context.Context, st *db.Store, was, m Member) error {
	named, err := findCandidates(ctx, st, r.Source, []int64{m.UserID}, nil)
	if err != nil {
		return err
	}
	for _, c := range named {
		if err := checkInherited(c, m.AccessLevel); err != nil {
			return err
		}
	}
	if m.Owns() {
		return nil
	}
	return r.checkOwnerRemains(ctx, st, was)
}

// checkOwnerRemains returns a fault if m is the last owner of a group. An owner whose membership
// expires later counts as one who remains, as on the public service.
func (r Roster) checkOwnerRemains(ctx context.Context, st *db.Store, m Member) error {
	last, err := isLastOwner(ctx, st, r.Source, m)
	if err == nil && last {
		err = fault.Forbidden("this is the last owner of the group: give it another one first")
	}
	return err
}
