package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// changedMember shows the row of a statement that changed a membership.
var changedMember = `select ` + memberColumns + ` from changed m` + memberUsers

// AddMember stores a direct membership, in the place of an expired one of the same user, and
// returns it with its user. If the user is a member already it is a conflict. A request of the user
// for access is granted thereby and removed. It is one statement, so that concurrent additions to a
// group do not wait for each other.
func AddMember(ctx context.Context, s *db.Store, m Member) (Member, error) {
	source := "namespace_id"
	if m.ProjectID != nil {
		source = "project_id"
	}
	_, args := db.Columns(m)
	added, err := db.One[Member](ctx, s, "", `
		with granted as (
		    delete from access_requests where user_id = @user_id and `+source+` = @`+source+`
		), changed as (
		    insert into members as m
		        (user_id, namespace_id, project_id, access_level, expires_at, member_role_id, ldap_provider,
		          created_by_id)
		    values (@user_id, @namespace_id, @project_id, @access_level, @expires_at, @member_role_id, @ldap_provider,
		      @created_by_id)
		    on conflict (`+source+`, user_id) do update
		    set (access_level, expires_at, member_role_id, ldap_provider, override, created_by_id, membership_state,
		         created_at, updated_at) =
		        (excluded.access_level, excluded.expires_at, excluded.member_role_id, excluded.ldap_provider,
		          excluded.override,
		         excluded.created_by_id, excluded.membership_state, excluded.created_at, excluded.updated_at)
		    where not `+unexpired+`
		    returning m.*)
		`+changedMember, args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.Conflict("Member already exists")
	}
	return added, err
}

// updateMember stores level, expiry and role of a membership and returns it. If its level is not
// was any more, or it is gone, it is a conflict: the caller has checked that level.
func updateMember(ctx context.Context, s *db.Store, m Member, was int) (Member, error) {
	m, err := db.One[Member](ctx, s, "", `
		with changed as (
		    update members set access_level = @level, expires_at = @expires_at, member_role_id = @role,
		      updated_at = now()
		    where id = @id and access_level = @was
		    returning *)
		`+changedMember, pgx.NamedArgs{
		"id": m.ID, "level": m.AccessLevel, "expires_at": m.ExpiresAt, "role": m.MemberRoleID, "was": was,
	})
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = changedMeanwhile()
	}
	return m, err
}

// deleteMember removes a membership. If it does not have the level of m any more it is a conflict.
func deleteMember(ctx context.Context, s *db.Store, m Member) error {
	n, err := s.Affected(ctx, `delete from members where id = @id and access_level = @level`,
		pgx.NamedArgs{"id": m.ID, "level": m.AccessLevel})
	if err == nil && n == 0 {
		err = changedMeanwhile()
	}
	return err
}

func changedMeanwhile() error {
	return fault.Conflict("Member was changed or removed by another request at the same time, try again")
}

// removeMembersBelow removes a user from the groups and projects below a group, and returns the
// removed memberships.
func removeMembersBelow(ctx context.Context, s *db.Store, src tree.Source, userID int64) ([]Member, error) {
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

// outsideOwnNamespace is the condition that a membership m is not that of a user in the personal
// namespace.
const outsideOwnNamespace = `not exists (select from namespaces n where n.id = m.namespace_id
	and n.owner_id = m.user_id)`

// RemoveExpired removes expired memberships, shares and invitations, and returns the memberships.
// It removes all memberships of bots whose tokens have expired, also in groups that they created.
func RemoveExpired(ctx context.Context, s *db.Store) ([]Member, error) {
	return db.Many[Member](ctx, s, `
		with shares_over as (delete from shares where expires_at <= current_date),
		     invitations_over as (delete from invitations where expires_at <= current_date),
		     over as (
		        select t.user_id from personal_access_tokens t join users u on u.id = t.user_id
		        where u.bot group by t.user_id having bool_and(t.revoked
		          or coalesce(t.expires_at <= current_date, false))),
		     changed as (
		        delete from members m
		        where m.expires_at <= current_date or m.user_id in (select user_id from over)
		          and `+outsideOwnNamespace+`
		        returning *)
		`+changedMember+` order by m.id`, nil)
}

// CountOwners counts the owners of a group, direct and inherited, and locks their memberships.
func CountOwners(ctx context.Context, s *db.Store, g tree.Group) (int, error) {
	return countOwnersExcept(ctx, s, g.TraversalIDs, 0)
}

// isLastOwner reports whether m is the only owner of a group. It locks the memberships of the
// owners, so that of two who leave at once one is refused. It is false for projects, which are
// owned from above.
func isLastOwner(ctx context.Context, s *db.Store, src tree.Source, m Member) (bool, error) {
	if src.Project != nil || m.Bot || !m.Owns() {
		return false, nil
	}
	others, err := countOwnersExcept(ctx, s, src.Namespaces, m.ID)
	return others == 0, err
}

// countOwnersExcept counts the people who own a group and can sign in, without one membership. It
// locks the rows in the order of ids, which prevents deadlocks.
func countOwnersExcept(ctx context.Context, s *db.Store, namespaces []int64, except int64) (int, error) {
	return db.Value[int](ctx, s, `
		select count(*) filter (where o.id <> @except) from (
		    select m.id from members m join users u on u.id = m.user_id
		    where m.namespace_id = any(@namespaces) and `+db.AsOwner+` and not u.bot and u.state = 'active'
		      and `+tree.Live+`
		    order by m.id for update of m) o`, pgx.NamedArgs{"namespaces": namespaces, "except": except})
}
