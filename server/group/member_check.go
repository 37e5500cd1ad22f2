package group

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
)

// check says what keeps the actor from giving anybody that role here, if anything.
func (r Roster) check(role Role) error { return r.checkAs("access_level", role) }

// checkAs is check where the level goes by another name.
func (r Roster) checkAs(field string, role Role) error {
	level := policy.Level(role.Level)
	switch {
	case policy.Roles[level] == "", level == policy.Minimal && !r.Minimal:
		return fault.Invalid(field, "is not included in the list")
	case !policy.MayGrant(r.By, level):
		return fault.Forbidden(field + " is above your own")
	case role.CustomID != nil: // custom roles are made nowhere
		return fault.Invalid("member_role", "does not exist")
	case role.ExpiresAt != nil && role.ExpiresAt.Before(db.Today().Time):
		return fault.Invalid("expires_at", "cannot be a date in the past")
	}
	return nil
}

// open fails if a group keeps the projects in it from having members of their own.
func (r Roster) open(ctx context.Context, st *db.Store) error {
	locked, err := MembershipLocked(ctx, st, r.Source)
	if err == nil && locked {
		err = fault.NotAllowed("405 Method Not Allowed - a group around the project has membership_lock on")
	}
	return err
}

// fits says what keeps a user from a level: nobody is less in a part than in the whole.
func fits(c Candidate, level int) error {
	if level >= c.Inherited {
		return nil
	}
	return fault.Invalid("access_level", fmt.Sprintf("should be greater than or equal to %s inherited membership from group %s",
		policy.Roles[policy.Level(c.Inherited)], c.From))
}

// mayChange says why the actor may not give a member another role, if he may not.
func (r Roster) mayChange(m Member) error {
	switch {
	case r.Source.IsHolder(m.UserID):
		return fault.Forbidden("a personal project stays with its owner")
	case !r.Admin:
		return fault.Forbidden("")
	case m.Bot:
		return fault.Forbidden("a bot is a member as long as its access token is good")
	case !policy.MayGrant(r.By, policy.Level(m.AccessLevel)):
		return fault.Forbidden("the member's access_level is above your own")
	}
	return nil
}

// mayRemove says why the actor may not remove a member, if he may not. Everybody may leave, apart from bots.
func (r Roster) mayRemove(m Member) error {
	if m.UserID == r.By.ID && !m.Bot && !r.Source.IsHolder(m.UserID) {
		return nil
	}
	return r.mayChange(m)
}

// mayBecome says why a member cannot become what he is to be, whoever wants that, if he cannot.
func (r Roster) mayBecome(ctx context.Context, st *db.Store, was, m Member) error {
	named, err := Candidates(ctx, st, r.Source, []int64{m.UserID}, nil)
	if err != nil {
		return err
	}
	for _, c := range named {
		if err := fits(c, m.AccessLevel); err != nil {
			return err
		}
	}
	if m.Owns() {
		return nil
	}
	return r.keepOwner(ctx, st, was)
}

// keepOwner refuses to let the last owner of a group go: nobody could manage it any more. One whose membership ends some
// day counts as one who stays, as on the public service.
func (r Roster) keepOwner(ctx context.Context, st *db.Store, m Member) error {
	last, err := LastOwner(ctx, st, r.Source, m)
	if err == nil && last {
		err = fault.Forbidden("this is the last owner of the group: give it another one first")
	}
	return err
}
