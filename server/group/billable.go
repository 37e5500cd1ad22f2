package group

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
)

// RemoveBillableMember takes the seat of a user in a group at the top: his memberships of it and of all that is in it
// (gaps §5.1). Whoever is there by an invited group alone has none.
func RemoveBillableMember(ctx context.Context, st *db.Store, r Roster, userID int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		m, err := FindBillableMember(ctx, st, r.Source.Root(), userID)
		switch {
		case err != nil:
			return err
		case !m.Direct:
			return fault.BadRequest("the user is a member of an invited group only: remove the user there, or end the share")
		}
		err = RemoveMember(ctx, st, r, Departure{UserID: userID})
		if fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		left, err := RemoveMembersBelow(ctx, st, r.Source, userID) // that is where he is a member
		if err != nil {
			return err
		}
		return TellMembers(ctx, st, memberRemoved, left...)
	})
}

// RoleName is what a level is called, empty if there is no such level.
func RoleName(level int) string { return policy.Roles[policy.Level(level)] }
