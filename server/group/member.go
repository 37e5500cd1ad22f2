package group

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// Member is one membership with its user: of a namespace or of a project, never both.
type Member struct {
	ID              int64     `db:"id,auto"`
	UserID          int64     `db:"user_id"`
	NamespaceID     *int64    `db:"namespace_id"`
	ProjectID       *int64    `db:"project_id"`
	AccessLevel     int       `db:"access_level"`
	ExpiresAt       *db.Date  `db:"expires_at"` // the first day on which it no longer counts
	MembershipState string    `db:"membership_state,auto"`
	MemberRoleID    *int64    `db:"member_role_id"`
	LDAPProvider    *string   `db:"ldap_provider"` // the LDAP server that it comes from; nil: a user added it
	Override        bool      `db:"override"`      // synchronization leaves it alone
	CreatedByID     *int64    `db:"created_by_id"`
	CreatedAt       time.Time `db:"created_at,auto"`
	UpdatedAt       time.Time `db:"updated_at,auto"`

	Username    string          `db:"username,auto"`
	Name        string          `db:"name,auto"`
	State       string          `db:"state,auto"` // of the user
	Bot         bool            `db:"bot,auto"`
	Avatar      *string         `db:"avatar,auto"`
	Email       string          `db:"email,auto"`
	PublicEmail *string         `db:"public_email,auto"`
	Identities  []tree.Identity `db:"identities,auto"`

	CreatedBy *tree.Person `db:"created_by,auto"`
}

// Person returns the member as other things mention a user.
func (m Member) Person() tree.Person {
	return tree.Person{ID: m.UserID, Username: m.Username, Name: m.Name, State: m.State, Avatar: m.Avatar}
}

// Owns reports whether the membership makes somebody an owner, today, or will once it is approved.
func (m Member) Owns() bool {
	return m.AccessLevel == db.Owner && (m.ExpiresAt == nil || m.ExpiresAt.After(db.Today().Time))
}

// Synced reports whether an LDAP server manages the membership.
func (m Member) Synced() bool { return m.LDAPProvider != nil && !m.Override }

// NewMember returns a direct membership of a user that is not stored yet.
func NewMember(s tree.Source, userID int64, level int) Member {
	in := s.Container()
	return Member{UserID: userID, AccessLevel: level, NamespaceID: in.NamespaceID, ProjectID: in.ProjectID}
}

// MemberFilter narrows a list of members. Zero fields narrow nothing.
type MemberFilter struct {
	Query     string      // in name and username
	UserIDs   []int64     // only these
	SkipUsers []int64     // not these
	State     string      // of the membership: active, awaiting
	Viewer    tree.Viewer // of AllMembers: decides on the members of invited groups
}

var memberColumns = `m.*, u.username, u.name, u.state, u.bot, u.avatar, u.email, u.public_email, u.identities,
	` + tree.PersonColumn("m.created_by_id") + ` as created_by`

// memberUsers joins a membership called m with its user.
const memberUsers = ` join users u on u.id = m.user_id`

// memberships are the columns of members; lentMemberships are those of a member by a share s.
const (
	memberships = `m.id, m.user_id, m.namespace_id, m.project_id, m.access_level, m.expires_at,
		m.membership_state, m.member_role_id, m.ldap_provider, m.override, m.created_by_id, m.created_at, m.updated_at`
	lentMemberships = `m.id, m.user_id, m.namespace_id, m.project_id, least(m.access_level, s.group_access),
		least(m.expires_at, s.expires_at),
		m.membership_state, m.member_role_id, m.ldap_provider, m.override, m.created_by_id, m.created_at, m.updated_at`
)

// inSpaces selects the memberships that count in namespaces with these ids: their own, and those of
// invited groups that the viewer may see.
func inSpaces(ids string) string {
	return `select ` + memberships + ` from members m where m.namespace_id = any(` + ids + `) and ` + unexpired + `
		union all
		select ` + lentMemberships + `
		from shares s join namespaces i on i.id = s.group_id join members m on m.namespace_id = s.group_id
		where s.namespace_id = any(` + ids + `) and ` + tree.Lent + ` and ` + tree.Live + ` and ` + tree.Seen
}

// directMembers and allMembers are the two lists that members can be read from; expired ones are in
// neither, and each user is there once. The second holds for each user the membership with the
// highest level, and of equals the nearest.
var (
	directMembers = `select ` + memberColumns + ` from (
		select * from members m
		where (m.namespace_id = @namespace or m.project_id = @project and m.user_id is distinct from @holder)
		  and ` + unexpired + `) m` + memberUsers
	allMembers = `select ` + memberColumns + ` from (
		select distinct on (m.user_id) m.* from (
			select ` + memberships + ` from members m where m.project_id = @project and ` + unexpired + `
			union all ` + inSpaces(`@namespaces::bigint[]`) + `
			union all
			select ` + lentMemberships + `
			from shares s join namespaces i on i.id = s.group_id cross join lateral (select i.traversal_ids as ids) line
			     cross join lateral (` + inSpaces(`line.ids`) + `) m
			where s.project_id = @project and ` + tree.Lent + ` and ` + tree.Live + ` and ` + tree.Seen + `) m
		order by m.user_id, m.access_level desc, m.project_id nulls last,
		         array_position(@namespaces::bigint[], m.namespace_id) desc nulls last) m` + memberUsers
)

// unexpired is the condition that a membership m has not expired.
const unexpired = `(m.expires_at is null or m.expires_at > current_date)`

var memberOrders = db.Order{"id": "m.id", "name": "u.name", "access_level": "m.access_level"}

func (f MemberFilter) where(src tree.Source) *db.Where {
	w := db.NewWhere(pgx.NamedArgs{
		"namespace": src.Direct(), "namespaces": src.Namespaces, "project": src.Project, "holder": src.Holder,
		"viewer": f.Viewer.UserID, "all": f.Viewer.All,
	})
	w.AndIf(f.Query != "", `u.name ilike @like or u.username ilike @like`, tree.Infix(f.Query))
	w.AndIf(len(f.UserIDs) > 0, `m.user_id = any(@users)`, f.UserIDs)
	w.AndIf(len(f.SkipUsers) > 0, `m.user_id <> all(@skip)`, f.SkipUsers)
	w.AndIf(f.State != "", `m.membership_state = @state`, f.State)
	return w
}

// Members lists the direct members. Orders: id, name, access_level.
func Members(ctx context.Context, s *db.Store, src tree.Source, f MemberFilter, p db.Page) ([]Member, int, error) {
	return db.List[Member](ctx, s, p, memberOrders, "m.id", directMembers, f.where(src))
}

// AllMembers lists direct and inherited members and those of invited groups that the viewer sees,
// each user once, with the highest level. Orders as Members.
func AllMembers(ctx context.Context, s *db.Store, src tree.Source, f MemberFilter, p db.Page) ([]Member, int, error) {
	return db.List[Member](ctx, s, p, memberOrders, "m.id", allMembers, f.where(src))
}

// FindMember returns the direct membership of a user, or a not-found fault.
func FindMember(ctx context.Context, s *db.Store, src tree.Source, userID int64) (Member, error) {
	return member(ctx, s, directMembers, src, MemberFilter{UserIDs: []int64{userID}})
}

// AnyMember returns the highest membership of a user that the viewer may see, inherited or not, or
// a not-found fault.
func AnyMember(ctx context.Context, s *db.Store, src tree.Source, v tree.Viewer, userID int64) (Member, error) {
	return member(ctx, s, allMembers, src, MemberFilter{UserIDs: []int64{userID}, Viewer: v})
}

func member(ctx context.Context, s *db.Store, sql string, src tree.Source, f MemberFilter) (Member, error) {
	w := f.where(src)
	m, err := db.One[Member](ctx, s, "", sql+w.String(), w.Args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NoRecord()
	}
	return m, err
}
