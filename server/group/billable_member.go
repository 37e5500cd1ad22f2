package group

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// BillableMember is a user who takes a seat in a top-level group: a member of it, of anything in
// it, or of a group that is invited there.
type BillableMember struct {
	UserID         int64      `db:"user_id"`
	Username       string     `db:"username"`
	Name           string     `db:"name"`
	State          string     `db:"state"`
	Avatar         *string    `db:"avatar"`
	Email          *string    `db:"email"` // the public address, or the private one of users who sign in by the group
	LastActivityOn *db.Date   `db:"last_activity_on"`
	LastLoginAt    *time.Time `db:"last_login_at"`
	CreatedAt      time.Time  `db:"created_at"`
	// the first that applies of: group_member, project_member, group_invite, project_invite
	MembershipType string `db:"membership_type"`
	Direct         bool   `db:"direct"`    // by one of the first two
	Removable      bool   `db:"removable"` // direct, and not the last owner of the group
}

// Person returns the member as other things mention a user.
func (m BillableMember) Person() tree.Person {
	return tree.Person{ID: m.UserID, Username: m.Username, Name: m.Name, State: m.State, Avatar: m.Avatar}
}

// seats selects the memberships by which users take seats in a namespace, whose id is root. Of kind
// 1 and 2 are those of groups and projects in it, of kind 3 and 4 those of groups that are invited
// into these; level is what they come to here. Minimal access takes no seat.
func seats(root string) string {
	const row = `m.user_id, m.id, m.namespace_id, m.project_id, m.access_level, m.expires_at, m.created_at`
	spaces := `select d.id from namespaces d where d.traversal_ids @> array[` + root + `]`
	projects := `select p.id from projects p where p.namespace_id in (` + spaces + `)`
	return `
		select 1 as kind, m.access_level as level, ` + row + `
		from members m where m.namespace_id in (` + spaces + `) and m.access_level >= 10 and ` + tree.Live + `
		union all
		select 2, m.access_level, ` + row + `
		from members m where m.project_id in (` + projects + `) and ` + tree.Live + `
		union all
		select 3, least(m.access_level, s.group_access), ` + row + `
		from shares s join members m on m.namespace_id = s.group_id
		where s.namespace_id in (` + spaces + `) and ` + tree.Lent + ` and ` + tree.Live + `
		union all
		select 4, least(m.access_level, s.group_access), ` + row + `
		from shares s join namespaces i on i.id = s.group_id join members m on m.namespace_id = any(i.traversal_ids)
		where s.project_id in (` + projects + `) and ` + tree.Lent + ` and ` + tree.Live
}

// takesSeat is the condition that a user u can take a seat.
const takesSeat = `not u.bot and u.state = 'active'`

// owning is the condition that a membership m makes an owner of the group @root.
var owning = `m.namespace_id = @root and ` + db.AsOwner + ` and ` + tree.Live

var selectBillable = `
	select b.user_id, b.membership_type, b.direct, u.username, u.name, u.state, u.avatar, u.last_activity_on,
		u.created_at,
	       coalesce(u.current_sign_in_at, u.last_sign_in_at) as last_login_at,
	       case when u.identities @> jsonb_build_array(jsonb_build_object('saml_provider_id', @root::bigint))
	         then u.email
	            else nullif(u.public_email, '') end as email,
	       b.direct and (exists (select from members m join users o on o.id = m.user_id
	                             where ` + owning + ` and m.user_id <> b.user_id and not o.bot and o.state = 'active')
	                     or not exists (select from members m where ` + owning + `
	                       and m.user_id = b.user_id)) as removable
	from (select user_id, (array['group_member', 'project_member', 'group_invite',
		'project_invite'])[min(kind)] as membership_type,
	             min(kind) <= 2 as direct, max(level) as level, min(created_at) as joined_at
	      from (` + seats("@root::bigint") + `) s group by user_id) b join users u on u.id = b.user_id`

// billableOrders puts users who never signed in or were never active last, in both directions.
var billableOrders = db.Order{
	"id": "b.user_id", "name": "u.name", "access_level": "b.level", "joined": "b.joined_at",
	"last_login":       "coalesce(u.current_sign_in_at, u.last_sign_in_at, '-infinity')",
	"first_login":      "coalesce(u.current_sign_in_at, u.last_sign_in_at, 'infinity')",
	"last_activity_on": "coalesce(u.last_activity_on, '-infinity')",
}

// BillableMembers lists the users who take a seat in a top-level group. Orders: id, name,
// access_level (the highest), joined (the first time), last_login and first_login (for descending
// and ascending), last_activity_on.
func BillableMembers(
	ctx context.Context, s *db.Store, root int64, search string, p db.Page,
) ([]BillableMember, int, error) {
	w := db.NewWhere(pgx.NamedArgs{"root": root, "search": search})
	w.And(takesSeat)
	w.AndIf(search != "", `u.name ilike @like or u.username ilike @like or lower(u.public_email) = lower(@search)`,
		tree.Infix(search))
	return db.List[BillableMember](ctx, s, p, billableOrders, "b.user_id", selectBillable, w)
}

// FindBillableMember returns a user who takes a seat in a top-level group, or a not-found fault.
func FindBillableMember(ctx context.Context, s *db.Store, root, userID int64) (BillableMember, error) {
	return db.One[BillableMember](ctx, s, "User", selectBillable+` where `+takesSeat+` and b.user_id = @user`,
		pgx.NamedArgs{"root": root, "user": userID})
}

// Seat is a membership by which a user takes a seat.
type Seat struct {
	ID             int64     `db:"id"`
	SourceID       int64     `db:"source_id"` // of the group or project
	SourceFullName string    `db:"source_full_name"`
	SourceFullPath string    `db:"source_full_path"`
	InProject      bool      `db:"in_project"`
	AccessLevel    int       `db:"access_level"`
	CreatedAt      time.Time `db:"created_at"`
	ExpiresAt      *db.Date  `db:"expires_at"`
}

var selectSeats = `
	select m.id, coalesce(g.id, p.id) as source_id,
		coalesce(g.full_name, n.full_name || ' / ' || p.name) as source_full_name,
	       coalesce(g.full_path, p.full_path) as source_full_path, p.id is not null as in_project,
	       m.access_level, m.created_at, m.expires_at
	from (select distinct s.id, s.user_id, s.namespace_id, s.project_id, s.access_level, s.created_at, s.expires_at,
		s.kind > 2 as invited
	      from (` + seats("@root::bigint") + `) s where s.user_id = @user) m
	left join namespaces g on g.id = m.namespace_id
	left join projects p on p.id = m.project_id left join namespaces n on n.id = p.namespace_id`

// SeatFilter selects memberships of a user.
type SeatFilter struct {
	Root, UserID int64 // in a top-level group and all below it
	Invited      bool  // only those in groups that are invited there; otherwise only the others
}

// Seats lists the memberships of a user.
func Seats(ctx context.Context, s *db.Store, f SeatFilter, p db.Page) ([]Seat, int, error) {
	w := db.NewWhere(pgx.NamedArgs{"root": f.Root, "user": f.UserID})
	w.And(`m.invited = @invited`, f.Invited)
	return db.List[Seat](ctx, s, p, db.Order{"id": "m.id"}, "m.id", selectSeats, w)
}

// RemoveBillableMember removes a user from a top-level group and all that is in it (gaps §5.1). It
// refuses users who are members only of an invited group.
func RemoveBillableMember(ctx context.Context, st *db.Store, r Roster, userID int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		m, err := FindBillableMember(ctx, st, r.Source.Root(), userID)
		switch {
		case err != nil:
			return err
		case !m.Direct:
			return fault.BadRequest(
				"the user is a member of an invited group only: remove the user there, or end the share",
			)
		}
		err = RemoveMember(ctx, st, r, Departure{UserID: userID})
		if fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		left, err := removeMembersBelow(ctx, st, r.Source, userID) // the user is a member only there
		if err != nil {
			return err
		}
		return emitMembersChanged(ctx, st, MemberRemoved, left...)
	})
}

// RoleName returns the name of a level, or "" if there is no such level.
func RoleName(level int) string { return policy.Roles[policy.Level(level)] }
