package tree

import (
	"fmt"
)

// What somebody may do comes from grants: a level of a user in a namespace, which holds for all that is in it, or in a
// project. Every query that judges a user reads them here, so that none forgets one of their sources:
//
//   - a membership;
//   - a share of a group: who is a direct member of the invited group has his level there, but at most the share's;
//   - a share of a project: the same, and whoever has the level in the invited group by inheritance or by a share counts.
//
// Members of subgroups of an invited group are no members of it. Minimal access is to the group alone that gives it.

const (
	// Live is the condition that a membership m counts.
	Live = `m.membership_state = 'active' and (m.expires_at is null or m.expires_at > current_date)`
	// Lent is the condition that a share s hands on a membership m, or a grant.
	Lent = `m.access_level >= 10 and (s.expires_at is null or s.expires_at > current_date)`
)

// spaceGrants and projectGrants are tables of all grants: (user_id, namespace_id or project_id, access_level). What is
// asked of them, a user at least, reaches the tables below, whose indexes know both ends.
const (
	SpaceGrants = `(
		select m.user_id, m.namespace_id, m.access_level from members m where m.namespace_id is not null and ` + Live + `
		union all
		select m.user_id, s.namespace_id, least(m.access_level, s.group_access)
		from shares s join members m on m.namespace_id = s.group_id
		where s.namespace_id is not null and ` + Lent + ` and ` + Live + `)`
	ProjectGrants = `(
		select m.user_id, m.project_id, m.access_level from members m where m.project_id is not null and ` + Live + `
		union all
		select m.user_id, s.project_id, least(m.access_level, s.group_access)
		from shares s join namespaces i on i.id = s.group_id join ` + SpaceGrants + ` m on m.namespace_id = any(i.traversal_ids)
		where s.project_id is not null and ` + Lent + `)`
)

// LevelInSpace is the highest level of @user in a namespace called n, which may be inherited; 0: none.
const LevelInSpace = `coalesce((
	select max(m.access_level)::int from ` + SpaceGrants + ` m
	where m.user_id = @user and m.namespace_id = any(n.traversal_ids)), 0)`

// LevelOfProject is the highest level that @user has by a project p itself; 0: none.
const LevelOfProject = `coalesce((
	select max(m.access_level)::int from ` + ProjectGrants + ` m where m.user_id = @user and m.project_id = p.id), 0)`

// LevelInProject is the highest level of @user in a project p of a namespace n.
const LevelInProject = `greatest(` + LevelInSpace + `, ` + LevelOfProject + `)`

// Granted are the ids of the namespaces (or projects) that @user has a level of at least least granted in; those below are
// not among them.
func Granted(least int) (spaces, projects string) {
	const mine = ` m where m.user_id = @user and m.access_level >= `
	return fmt.Sprint(`select m.namespace_id from `, SpaceGrants, mine, least),
		fmt.Sprint(`select m.project_id from `, ProjectGrants, mine, least)
}

// places are the ids of the namespaces where the user has any level, or in a project directly in them.
var places = func() string {
	spaces, projects := Granted(0)
	return spaces + ` union all select p.namespace_id from projects p where p.id in (` + projects + `)`
}()
