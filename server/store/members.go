package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// Member is one membership with its user: of a group (NamespaceID) or of a project (ProjectID), never both.
type Member struct {
	ID              int64     `db:"id,auto"`
	UserID          int64     `db:"user_id"`
	NamespaceID     *int64    `db:"namespace_id"`
	ProjectID       *int64    `db:"project_id"`
	AccessLevel     int       `db:"access_level"`
	ExpiresAt       *Date     `db:"expires_at"` // the first day on which it no longer counts
	MembershipState string    `db:"membership_state,auto"`
	MemberRoleID    *int64    `db:"member_role_id"`
	CreatedByID     *int64    `db:"created_by_id"`
	CreatedAt       time.Time `db:"created_at,auto"`

	Username    string  `db:"username,auto"`
	Name        string  `db:"name,auto"`
	State       string  `db:"state,auto"` // of the user
	Bot         bool    `db:"bot,auto"`
	Avatar      *string `db:"avatar,auto"`
	Email       string  `db:"email,auto"`
	PublicEmail *string `db:"public_email,auto"`

	CreatedByUsername *string `db:"created_by_username,auto"`
	CreatedByName     *string `db:"created_by_name,auto"`
	CreatedByState    *string `db:"created_by_state,auto"`
}

// Source is what members belong to: a group or a project. Make it with InGroup or InProject.
type Source struct {
	namespaces []int64 // itself and its ancestors, root first; of a project: its namespace's
	project    *int64
}

// InGroup is a group as a source of members.
func InGroup(g Group) Source { return Source{namespaces: g.TraversalIDs} }

// InProject is a project as a source of members.
func InProject(p Project) Source { return Source{namespaces: p.NamespaceIDs, project: &p.ID} }

// direct is the namespace that direct members are members of; nil for a project.
func (s Source) direct() *int64 {
	if s.project != nil {
		return nil
	}
	return &s.namespaces[len(s.namespaces)-1]
}

// MemberFilter narrows a list of members; zero fields do not.
type MemberFilter struct {
	Query     string  // in name and username
	UserIDs   []int64 // only these
	SkipUsers []int64 // not these
	State     string  // active, awaiting
}

const memberColumns = `m.*, u.username, u.name, u.state, u.bot, u.avatar, u.email, u.public_email,
	c.username as created_by_username, c.name as created_by_name, c.state as created_by_state`

// memberUsers joins a membership called m with its user and its author.
const memberUsers = ` join users u on u.id = m.user_id left join users c on c.id = m.created_by_id
	where (@query = '' or u.name ilike @like or u.username ilike @like)
	  and (@users::bigint[] is null or m.user_id = any(@users))
	  and (@skip::bigint[] is null or m.user_id <> all(@skip))
	  and (@state = '' or m.membership_state = @state)`

// directMembers and allMembers are the two lists that members can be read from; expired ones are in neither. The second
// holds for each user the membership with the highest level, and of equals the nearest.
const (
	directMembers = `select ` + memberColumns + ` from (
		select * from members m
		where (m.namespace_id = @namespace or m.project_id = @project)
		  and (m.expires_at is null or m.expires_at > current_date)) m`
	allMembers = `select ` + memberColumns + ` from (
		select distinct on (m.user_id) m.* from members m
		where (m.namespace_id = any(@namespaces::bigint[]) or m.project_id = @project)
		  and (m.expires_at is null or m.expires_at > current_date)
		order by m.user_id, m.access_level desc, m.project_id nulls last, array_position(@namespaces::bigint[], m.namespace_id) desc) m`
)

var memberOrders = order{"id": "m.id", "name": "u.name", "access_level": "m.access_level"}

func (f MemberFilter) args(src Source) pgx.NamedArgs {
	return pgx.NamedArgs{
		"namespace": src.direct(), "namespaces": src.namespaces, "project": src.project,
		"query": f.Query, "like": infix(f.Query), "users": f.UserIDs, "skip": f.SkipUsers, "state": f.State,
	}
}

// Members lists the direct members. Orders: id, name, access_level.
func (s *Store) Members(ctx context.Context, src Source, f MemberFilter, p Page) ([]Member, int, error) {
	return page[Member](ctx, s, p, memberOrders, "m.id", directMembers+memberUsers, f.args(src))
}

// AllMembers lists direct and inherited members, each user once, with the highest level. Orders as Members.
func (s *Store) AllMembers(ctx context.Context, src Source, f MemberFilter, p Page) ([]Member, int, error) {
	return page[Member](ctx, s, p, memberOrders, "m.id", allMembers+memberUsers, f.args(src))
}

// Member is the direct membership of one user.
func (s *Store) Member(ctx context.Context, src Source, userID int64) (Member, error) {
	return one[Member](ctx, s, "", directMembers+memberUsers, MemberFilter{UserIDs: []int64{userID}}.args(src))
}

// AnyMember is the highest membership of one user, inherited or not.
func (s *Store) AnyMember(ctx context.Context, src Source, userID int64) (Member, error) {
	return one[Member](ctx, s, "", allMembers+memberUsers, MemberFilter{UserIDs: []int64{userID}}.args(src))
}

// AddMember stores a direct membership and returns it with its user; an expired one of the same user is replaced.
// A user who is a member already is a conflict.
func (s *Store) AddMember(ctx context.Context, m Member) (Member, error) {
	err := s.Tx(ctx, func(s *Store) error {
		if err := s.exec(ctx, `
			delete from members
			where user_id = @user and (namespace_id = @namespace or project_id = @project) and expires_at <= current_date`,
			pgx.NamedArgs{"user": m.UserID, "namespace": m.NamespaceID, "project": m.ProjectID}); err != nil {
			return err
		}
		id, err := s.insert(ctx, "members", m)
		if err != nil {
			return err
		}
		m, err = s.member(ctx, id)
		return err
	})
	return m, err
}

// UpdateMember stores level, expiry and role of a membership and returns it.
func (s *Store) UpdateMember(ctx context.Context, m Member) (Member, error) {
	if err := s.update(ctx, "members", m); err != nil {
		return m, err
	}
	return s.member(ctx, m.ID)
}

func (s *Store) member(ctx context.Context, id int64) (Member, error) {
	return one[Member](ctx, s, "", `select `+memberColumns+`
		from members m join users u on u.id = m.user_id left join users c on c.id = m.created_by_id
		where m.id = @id`, pgx.NamedArgs{"id": id})
}

// RemoveMember removes a membership.
func (s *Store) RemoveMember(ctx context.Context, id int64) error {
	n, err := s.affected(ctx, `delete from members where id = @id`, pgx.NamedArgs{"id": id})
	if err == nil && n == 0 {
		return fault.NotFound("")
	}
	return err
}

// RemoveExpired removes the memberships that no longer count, and tells how many they were.
func (s *Store) RemoveExpired(ctx context.Context) (int64, error) {
	return s.affected(ctx, `delete from members where expires_at <= current_date`, nil)
}

// Owners counts the direct owners of a group, inherited ones too: without the last of them nobody could manage it. The
// rows are locked, so that of two owners who leave at once one is refused.
func (s *Store) Owners(ctx context.Context, g Group) (int, error) {
	return value[int](ctx, s, `
		select count(*) from (
		    select from members m join users u on u.id = m.user_id
		    where m.namespace_id = any(@namespaces) and m.access_level = 50 and not u.bot and `+live+`
		    for update of m) o`, pgx.NamedArgs{"namespaces": g.TraversalIDs})
}
