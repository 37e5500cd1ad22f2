package forge

import (
	"context"

	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/policy"
	"hew/server/store"
)

// RemoveBillableMember takes the seat of a user in a group at the top: his memberships of it and of all that is in it
// (gaps §5.1). Whoever is there by an invited group alone has none.
func RemoveBillableMember(ctx context.Context, st *store.Store, q *jobs.Queue, r Roster, userID int64) error {
	return st.Tx(ctx, func(st *store.Store) error {
		m, err := st.BillableMember(ctx, r.Source.Root(), userID)
		switch {
		case err != nil:
			return err
		case !m.Direct:
			return fault.BadRequest("the user is a member of an invited group only: remove the user there, or end the share")
		}
		err = RemoveMember(ctx, st, q, r, Departure{UserID: userID})
		if fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		left, err := st.RemoveMembersBelow(ctx, r.Source, userID) // that is where he is a member
		if err != nil {
			return err
		}
		return tellMembers(ctx, st, q, memberRemoved, left...)
	})
}

// RoleName is what a level is called, empty if there is no such level.
func RoleName(level int) string { return roles[policy.Level(level)] }
