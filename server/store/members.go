package store

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// Member is one membership with its user: of a namespace (NamespaceID) or of a project (ProjectID), never both.
type Member struct {
	ID              int64     `db:"id,auto"`
	UserID          int64     `db:"user_id"`
	NamespaceID     *int64    `db:"namespace_id"`
	ProjectID       *int64    `db:"project_id"`
	AccessLevel     int       `db:"access_level"`
	ExpiresAt       *Date     `db:"expires_at"` // the first day on which it no longer counts
	MembershipState string    `db:"membership_state,auto"`
	MemberRoleID    *int64    `db:"member_role_id"`
	LDAPProvider    *string   `db:"ldap_provider"` // the LDAP server that says so; nil: somebody has added him
	Override        bool      `db:"override"`      // … and does so in vain: he stays as he is
	CreatedByID     *int64    `db:"created_by_id"`
	CreatedAt       time.Time `db:"created_at,auto"`
	UpdatedAt       time.Time `db:"updated_at,auto"`

	Username    string     `db:"username,auto"`
	Name        string     `db:"name,auto"`
	State       string     `db:"state,auto"` // of the user
	Bot         bool       `db:"bot,auto"`
	Avatar      *string    `db:"avatar,auto"`
	Email       string     `db:"email,auto"`
	PublicEmail *string    `db:"public_email,auto"`
	Identities  []Identity `db:"identities,auto"`

	CreatedBy *Person `db:"created_by,auto"`
}

// Person is what is told about the member wherever he is mentioned.
func (m Member) Person() Person {
	return Person{ID: m.UserID, Username: m.Username, Name: m.Name, State: m.State, Avatar: m.Avatar}
}

// Owns says whether the membership makes somebody an owner, today.
func (m Member) Owns() bool {
	return m.AccessLevel == owner && (m.ExpiresAt == nil || m.ExpiresAt.After(Today().Time))
}

// Synced says whether an LDAP server keeps the membership in step.
func (m Member) Synced() bool { return m.LDAPProvider != nil && !m.Override }

// Source is what members belong to: a group or a project. Make it with InGroup or InProject.
type Source struct {
	namespaces []int64 // itself and its ancestors, root first; of a project: its namespace's
	project    *int64
	holder     *int64 // whose personal project it is: his membership of his namespace is one of the project, too
}

// InGroup is a group as a source of members.
func InGroup(g Group) Source { return Source{namespaces: g.TraversalIDs} }

// InProject is a project as a source of members.
func InProject(p Project) Source {
	s := Source{namespaces: p.NamespaceIDs, project: &p.ID}
	if p.NamespaceKind == "user" {
		s.holder = p.NamespaceOwnerID
	}
	return s
}

// NewMember is a direct membership of a user.
func (s Source) NewMember(userID int64, level int) Member {
	in := s.Container()
	return Member{UserID: userID, AccessLevel: level, NamespaceID: in.NamespaceID, ProjectID: in.ProjectID}
}

// Container is the source as what it holds sees it.
func (s Source) Container() Container {
	if s.project != nil {
		return Container{ProjectID: s.project}
	}
	return Container{NamespaceID: s.direct()}
}

// Root is the id of the namespace at the top: of the group that members may sign in with.
func (s Source) Root() int64 { return s.namespaces[0] }

// IsHolder says whether a user holds the namespace that the project is in: he can neither leave nor be anything else.
func (s Source) IsHolder(userID int64) bool { return s.holder != nil && *s.holder == userID }

// InProject says whether it is a project.
func (s Source) InProject() bool { return s.project != nil }

// IsGroup says whether it is that group.
func (s Source) IsGroup(id int64) bool {
	return s.project == nil && s.namespaces[len(s.namespaces)-1] == id
}

// Around says whether a project is in that group, directly or not.
func (s Source) Around(id int64) bool { return s.project != nil && slices.Contains(s.namespaces, id) }

// direct is the namespace whose members are direct ones; nil for a project of a group.
func (s Source) direct() *int64 {
	if s.project != nil && s.holder == nil {
		return nil
	}
	return &s.namespaces[len(s.namespaces)-1]
}

// above are the namespaces whose members are inherited.
func (s Source) above() []int64 {
	if s.direct() == nil {
		return s.namespaces
	}
	return s.namespaces[:len(s.namespaces)-1]
}

// MemberFilter narrows a list of members; zero fields do not.
type MemberFilter struct {
	Query     string  // in name and username
	UserIDs   []int64 // only these
	SkipUsers []int64 // not these
	State     string  // of the membership: active, awaiting
	Viewer    Viewer  // of AllMembers: who asks, which decides on the members of invited groups
}

var memberColumns = `m.*, u.username, u.name, u.state, u.bot, u.avatar, u.email, u.public_email, u.identities,
	` + person("m.created_by_id") + ` as created_by`

// memberUsers joins a membership called m with its user.
const memberUsers = ` join users u on u.id = m.user_id`

// memberships are the rows of members; by a share s they count as far as it goes.
const (
	memberships = `m.id, m.user_id, m.namespace_id, m.project_id, m.access_level, m.expires_at,
		m.membership_state, m.member_role_id, m.ldap_provider, m.override, m.created_by_id, m.created_at, m.updated_at`
	lentMemberships = `m.id, m.user_id, m.namespace_id, m.project_id, least(m.access_level, s.group_access), least(m.expires_at, s.expires_at),
		m.membership_state, m.member_role_id, m.ldap_provider, m.override, m.created_by_id, m.created_at, m.updated_at`
)

// inSpaces are the memberships that count in namespaces given by their ids: of them, and of the groups that they are
// shared with, as far as the viewer sees those.
func inSpaces(ids string) string {
	return `select ` + memberships + ` from members m where m.namespace_id = any(` + ids + `) and ` + lasting + `
		union all
		select ` + lentMemberships + `
		from shares s join namespaces i on i.id = s.group_id join members m on m.namespace_id = s.group_id
		where s.namespace_id = any(` + ids + `) and ` + lent + ` and ` + live + ` and ` + seen
}

// directMembers and allMembers are the two lists that members can be read from; expired ones are in neither, and each
// user is there once. The second holds for each user the membership with the highest level, and of equals the nearest.
var (
	directMembers = `select ` + memberColumns + ` from (
		select * from members m
		where (m.namespace_id = @namespace or m.project_id = @project and m.user_id is distinct from @holder)
		  and ` + lasting + `) m` + memberUsers
	allMembers = `select ` + memberColumns + ` from (
		select distinct on (m.user_id) m.* from (
			select ` + memberships + ` from members m where m.project_id = @project and ` + lasting + `
			union all ` + inSpaces(`@namespaces::bigint[]`) + `
			union all
			select ` + lentMemberships + `
			from shares s join namespaces i on i.id = s.group_id cross join lateral (select i.traversal_ids as ids) line
			     cross join lateral (` + inSpaces(`line.ids`) + `) m
			where s.project_id = @project and ` + lent + ` and ` + live + ` and ` + seen + `) m
		order by m.user_id, m.access_level desc, m.project_id nulls last,
		         array_position(@namespaces::bigint[], m.namespace_id) desc nulls last) m` + memberUsers
)

// lasting is the condition that a membership m has not expired.
const lasting = `(m.expires_at is null or m.expires_at > current_date)`

var memberOrders = order{"id": "m.id", "name": "u.name", "access_level": "m.access_level"}

func (f MemberFilter) where(src Source) *where {
	w := among(pgx.NamedArgs{
		"namespace": src.direct(), "namespaces": src.namespaces, "project": src.project, "holder": src.holder,
		"viewer": f.Viewer.UserID, "all": f.Viewer.All,
	})
	w.and(f.Query != "", `u.name ilike @like or u.username ilike @like`, infix(f.Query))
	w.and(len(f.UserIDs) > 0, `m.user_id = any(@users)`, f.UserIDs)
	w.and(len(f.SkipUsers) > 0, `m.user_id <> all(@skip)`, f.SkipUsers)
	w.and(f.State != "", `m.membership_state = @state`, f.State)
	return w
}

// Members lists the direct members. Orders: id, name, access_level.
func (s *Store) Members(ctx context.Context, src Source, f MemberFilter, p Page) ([]Member, int, error) {
	return page[Member](ctx, s, p, memberOrders, "m.id", directMembers, f.where(src))
}

// AllMembers lists direct and inherited members and those of invited groups that the viewer sees, each user once, with the
// highest level. Orders as Members.
func (s *Store) AllMembers(ctx context.Context, src Source, f MemberFilter, p Page) ([]Member, int, error) {
	return page[Member](ctx, s, p, memberOrders, "m.id", allMembers, f.where(src))
}

// Member is the direct membership of one user.
func (s *Store) Member(ctx context.Context, src Source, userID int64) (Member, error) {
	return s.member(ctx, directMembers, src, MemberFilter{UserIDs: []int64{userID}})
}

// AnyMember is the highest membership of one user, inherited or not, as far as the viewer sees it.
func (s *Store) AnyMember(ctx context.Context, src Source, v Viewer, userID int64) (Member, error) {
	return s.member(ctx, allMembers, src, MemberFilter{UserIDs: []int64{userID}, Viewer: v})
}

func (s *Store) member(ctx context.Context, sql string, src Source, f MemberFilter) (Member, error) {
	w := f.where(src)
	m, err := one[Member](ctx, s, "", sql+w.String(), w.args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NoRecord()
	}
	return m, err
}
