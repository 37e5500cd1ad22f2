package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// Candidate is a user who was named as one who may become a member of a source, or something else there.
type Candidate struct {
	Asked     string `db:"asked"`    // the id or username that he was named by
	UserID    int64  `db:"user_id"`  // 0: nobody has it
	Username  string `db:"username"` // empty: nobody has it
	Bot       bool   `db:"bot"`
	Member    bool   `db:"member"`    // directly
	Inherited int    `db:"inherited"` // the highest level that he has from above; 0: none
	From      string `db:"source"`    // the name of the group that it comes from, the nearest if several are equal
}

// Candidates finds users by id or by username, in any case, with what they are in a source already.
func Candidates(ctx context.Context, s *db.Store, src tree.Source, ids []int64, usernames []string) ([]Candidate, error) {
	return db.Many[Candidate](ctx, s, `
		select coalesce(asked.id::text, asked.name) as asked, coalesce(u.id, 0) as user_id, coalesce(u.username, '') as username,
		       coalesce(u.bot, false) as bot, exists (select from members m
		               where m.user_id = u.id and (m.namespace_id = @namespace or m.project_id = @project) and `+lasting+`) as member,
		       coalesce(above.access_level::int, 0) as inherited, coalesce(above.name, '') as source
		from (select id, null as name from unnest(@ids::bigint[]) id
		      union select null, name from unnest(@names::text[]) name) asked
		left join users u on u.id = asked.id or lower(u.username) = lower(asked.name)
		left join lateral (
		    select m.access_level, n.name from members m join namespaces n on n.id = m.namespace_id
		    where m.user_id = u.id and m.namespace_id = any(@above::bigint[]) and `+tree.Live+`
		    order by m.access_level desc, cardinality(n.traversal_ids) desc limit 1) above on true
		order by u.id`,
		pgx.NamedArgs{"namespace": src.Direct(), "project": src.Project, "above": src.Above(), "ids": ids, "names": usernames})
}

// MembershipLocked says whether a group around a project keeps its projects from having members of their own.
func MembershipLocked(ctx context.Context, s *db.Store, src tree.Source) (bool, error) {
	if src.Project == nil {
		return false, nil
	}
	return db.Value[bool](ctx, s, `
		select exists (select from namespaces n where n.id = any(@namespaces) and `+membershipLocked+`)`,
		pgx.NamedArgs{"namespaces": src.Namespaces})
}

// membershipLocked is the condition that a group n keeps the projects in it from having members of their own.
const membershipLocked = `n.settings ->> 'membership_lock' = 'true'`

// changedMember shows the row of a statement that changed a membership.
var changedMember = `select ` + memberColumns + ` from changed m` + memberUsers

// AddMember stores a direct membership and returns it with its user; an expired one of the same user is replaced.
// A user who is a member already is a conflict. It is one statement, and those who add to the same group do not wait for
// each other.
func AddMember(ctx context.Context, s *db.Store, m Member) (Member, error) {
	source := "namespace_id"
	if m.ProjectID != nil {
		source = "project_id"
	}
	_, args := db.Columns(m)
	added, err := db.One[Member](ctx, s, "", `
		with changed as (
		    insert into members as m
		        (user_id, namespace_id, project_id, access_level, expires_at, member_role_id, ldap_provider, created_by_id)
		    values (@user_id, @namespace_id, @project_id, @access_level, @expires_at, @member_role_id, @ldap_provider, @created_by_id)
		    on conflict (`+source+`, user_id) do update
		    set (access_level, expires_at, member_role_id, ldap_provider, override, created_by_id, membership_state,
		         created_at, updated_at) =
		        (excluded.access_level, excluded.expires_at, excluded.member_role_id, excluded.ldap_provider, excluded.override,
		         excluded.created_by_id, excluded.membership_state, excluded.created_at, excluded.updated_at)
		    where not `+lasting+`
		    returning m.*)
		`+changedMember, args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.Conflict("Member already exists")
	}
	return added, err
}

// UpdateMember stores level, expiry and role of a membership that had the level was when it was read, and returns it. If
// it has another one meanwhile, or is gone, that is a conflict: whoever changes levels has looked at them.
func UpdateMember(ctx context.Context, s *db.Store, m Member, was int) (Member, error) {
	m, err := db.One[Member](ctx, s, "", `
		with changed as (
		    update members set access_level = @level, expires_at = @expires_at, member_role_id = @role, updated_at = now()
		    where id = @id and access_level = @was
		    returning *)
		`+changedMember, pgx.NamedArgs{
		"id": m.ID, "level": m.AccessLevel, "expires_at": m.ExpiresAt, "role": m.MemberRoleID, "was": was,
	})
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = overtaken()
	}
	return m, err
}

// DeleteMember removes a membership if it still has the level that it was read with; otherwise that is a conflict.
func DeleteMember(ctx context.Context, s *db.Store, m Member) error {
	n, err := s.Affected(ctx, `delete from members where id = @id and access_level = @level`,
		pgx.NamedArgs{"id": m.ID, "level": m.AccessLevel})
	if err == nil && n == 0 {
		err = overtaken()
	}
	return err
}

func overtaken() error {
	return fault.Conflict("Member was changed or removed by another request at the same time, try again")
}

// RemoveMembersBelow removes a user from the groups and projects below a group, and returns what he was there.
func RemoveMembersBelow(ctx context.Context, s *db.Store, src tree.Source, userID int64) ([]Member, error) {
	if src.Project != nil {
		return nil, nil // nothing is below a project
	}
	return db.Many[Member](ctx, s, `
		with changed as (delete from members m
		where m.user_id = @user and m.namespace_id is distinct from @group and exists (
		    select from namespaces n
		    where n.id = coalesce(m.namespace_id, (select p.namespace_id from projects p where p.id = m.project_id))
		      and n.traversal_ids @> array[@group::bigint])
		returning *)
		`+changedMember+` order by m.id`, pgx.NamedArgs{"user": userID, "group": src.Direct()})
}

// elsewhere is the condition that a membership m is not that of a user in the namespace that is himself.
const elsewhere = `not exists (select from namespaces n where n.id = m.namespace_id and n.owner_id = m.user_id)`

// RemoveExpired removes the memberships, shares and invitations that no longer count, and returns the memberships. A bot
// whose token has expired is a member of nothing, not even of what it has made.
func RemoveExpired(ctx context.Context, s *db.Store) ([]Member, error) {
	return db.Many[Member](ctx, s, `
		with shares_over as (delete from shares where expires_at <= current_date),
		     invitations_over as (delete from invitations where expires_at <= current_date),
		     over as (
		        select t.user_id from personal_access_tokens t join users u on u.id = t.user_id
		        where u.bot group by t.user_id having bool_and(t.revoked or coalesce(t.expires_at <= current_date, false))),
		     changed as (
		        delete from members m
		        where m.expires_at <= current_date or m.user_id in (select user_id from over) and `+elsewhere+`
		        returning *)
		`+changedMember+` order by m.id`, nil)
}

// Owners counts the owners of a group, inherited ones too, and keeps them owners until the commit.
func Owners(ctx context.Context, s *db.Store, g tree.Group) (int, error) {
	return owners(ctx, s, g.TraversalIDs, 0)
}

// LastOwner says whether a group has no owner but that one. Until the commit its owners stay what they are, so that of
// two who leave at once one is refused. Projects are owned from above, by a group or by a user.
func LastOwner(ctx context.Context, s *db.Store, src tree.Source, m Member) (bool, error) {
	if src.Project != nil || m.Bot || !m.Owns() {
		return false, nil
	}
	others, err := owners(ctx, s, src.Namespaces, m.ID)
	return others == 0, err
}

// owners counts the people who own a group and can sign in, except the one with that membership. The rows are locked, by
// id: two that lock them in another order would wait for each other.
func owners(ctx context.Context, s *db.Store, namespaces []int64, except int64) (int, error) {
	return db.Value[int](ctx, s, `
		select count(*) filter (where o.id <> @except) from (
		    select m.id from members m join users u on u.id = m.user_id
		    where m.namespace_id = any(@namespaces) and `+db.AsOwner+` and not u.bot and u.state = 'active' and `+tree.Live+`
		    order by m.id for update of m) o`, pgx.NamedArgs{"namespaces": namespaces, "except": except})
}
