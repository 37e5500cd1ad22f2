package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/tree"
)

// PendingMember is a user whose memberships in a top-level group and below it await approval, or
// an invitation there.
type PendingMember struct {
	ID       int64        `db:"id"`       // of a membership or of the invitation: unique, as both have one sequence
	Person   *tree.Person `db:"person"`   // nil for an invitation
	Email    string       `db:"email"`    // of the user or of the invitation
	Approved bool         `db:"approved"` // invitations are
	Invited  bool         `db:"invited"`
}

// within is the condition that a row m is held by the group @root or by what is below it.
const within = `(m.namespace_id in (select d.id from namespaces d where d.traversal_ids @> array[@root::bigint])
	or m.project_id in (select p.id from projects p join namespaces d on d.id = p.namespace_id
	                    where d.traversal_ids @> array[@root::bigint]))`

// PendingMembers lists the users who await approval in a top-level group and those who are invited,
// each once (gaps §5.1).
func PendingMembers(ctx context.Context, s *db.Store, g tree.Group, p db.Page) ([]PendingMember, int, error) {
	return db.List[PendingMember](ctx, s, p, db.Order{}, "w.id", `
		select w.* from (
		    select min(m.id) as id, `+tree.PersonColumn("u.id")+` as person, u.email, false as approved,
		      false as invited
		    from members m`+memberUsers+`
		    where m.membership_state = 'awaiting' and not u.bot and `+within+` group by u.id
		    union all
		    select min(m.id), null, min(m.email), true, true
		    from invitations m
		    where (m.expires_at is null or m.expires_at > current_date) and `+within+` group by lower(m.email)) w`,
		db.NewWhere(pgx.NamedArgs{"root": g.ID}))
}

// The states of a membership.
const (
	Active   = "active"
	Awaiting = "awaiting"
)

// SetMembershipState stores the state of all memberships of a user in a top-level group and below
// it. It fails if the user has none there, is r.By, or owns the group alone (gaps §5.1).
func SetMembershipState(ctx context.Context, st *db.Store, r Roster, userID int64, state string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if _, err := tree.FindUser(ctx, st, userID); err != nil {
			return err
		}
		if state == Active {
			return activate(ctx, st, r, &userID)
		}
		if userID == r.By.ID {
			return fault.Unprocessable("You cannot set yourself to awaiting")
		}
		m, err := FindMember(ctx, st, r.Source, userID)
		if fault.IgnoreNotFound(err) != nil {
			return err
		}
		last, err := isLastOwner(ctx, st, r.Source, m)
		switch {
		case err != nil:
			return err
		case last:
			return fault.Unprocessable("The last owner cannot be set to awaiting")
		}
		if err := storeState(ctx, st, r, &userID, Awaiting); err != nil {
			return err
		}
		return event.Emit(ctx, st, AccessLost{Source: r.Source, User: &userID})
	})
}

// ApproveMember activates the memberships of the user whose membership in a top-level group, or
// below it, has that id.
func ApproveMember(ctx context.Context, st *db.Store, r Roster, memberID int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		user, err := db.Value[int64](ctx, st, `
			select coalesce((select m.user_id from members m where m.id = @member and `+within+`), 0)`,
			pgx.NamedArgs{"member": memberID, "root": r.Source.Root()})
		switch {
		case err != nil:
			return err
		case user == 0:
			return fault.NotFound("")
		}
		return asBadRequest(activate(ctx, st, r, &user))
	})
}

// ApproveAllMembers activates all memberships in a top-level group and below it.
func ApproveAllMembers(ctx context.Context, st *db.Store, r Roster) error {
	return asBadRequest(activate(ctx, st, r, nil))
}

// activate activates the memberships that await approval, of one user or, if nil, of all.
func activate(ctx context.Context, st *db.Store, r Roster, user *int64) error {
	return storeState(ctx, st, r, user, Active)
}

// storeState stores the state of the memberships of a user, or of all users if nil, in a top-level
// group and below it. It fails if none has another state.
func storeState(ctx context.Context, st *db.Store, r Roster, user *int64, state string) error {
	if err := r.holdManager(ctx, st); err != nil {
		return err
	}
	n, err := st.Affected(ctx, `
		update members m set membership_state = @state, updated_at = now()
		where (m.user_id = @user or @user::bigint is null) and m.membership_state <> @state
		  and not exists (select from users u where u.id = m.user_id and u.bot) and `+within,
		pgx.NamedArgs{"user": user, "state": state, "root": r.Source.Root()})
	if err == nil && n == 0 {
		err = fault.Unprocessable("No memberships found")
	}
	return err
}

// asBadRequest returns the error of a route that answers 400 where others answer 422.
func asBadRequest(err error) error {
	if f, ok := fault.From(err); ok && f.Code == fault.CodeUnprocessable {
		return fault.BadRequest(f.What)
	}
	return err
}
