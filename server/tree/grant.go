package tree

import (
	"fmt"
	"strconv"

	"hew/server/db"
)

// Access comes from grants: a level of a user in a namespace, which holds for everything in it, or
// in a project. Every query that depends on levels reads grants here, so that none omits a source:
//
//   - a membership;
//   - a share of a group: direct members of the invited group have their level there,
//     but at most the share's;
//   - a share of a project: the same, also for those whose level in the invited group is inherited
//     or comes from a share.
//
// Members of subgroups of an invited group do not count. Minimal access holds only in the group
// that gives it.

const (
	// Live is the condition that a membership m counts.
	Live = `m.membership_state = 'active' and (m.expires_at is null or m.expires_at > current_date)`
	// Lent is the condition that a share s hands on a membership m, or a grant.
	Lent = `m.access_level >= 10 and (s.expires_at is null or s.expires_at > current_date)`
)

// spaceGrants and projectGrants are tables of all grants: (user_id, namespace_id or project_id,
// access_level). What is asked of them, a user at least, reaches the tables below, whose indexes
// know both ends.
const (
	SpaceGrants = `(
		select m.user_id, m.namespace_id, m.access_level from members m where m.namespace_id is not null
			and ` + Live + `
		union all
		select m.user_id, s.namespace_id, least(m.access_level, s.group_access)
		from shares s join members m on m.namespace_id = s.group_id
		where s.namespace_id is not null and ` + Lent + ` and ` + Live + `)`
	ProjectGrants = `(
		select m.user_id, m.project_id, m.access_level from members m where m.project_id is not null and ` + Live + `
		union all
		select m.user_id, s.project_id, least(m.access_level, s.group_access)
		from shares s join namespaces i on i.id = s.group_id
			join ` + SpaceGrants + ` m on m.namespace_id = any(i.traversal_ids)
		where s.project_id is not null and ` + Lent + `)`
)

// LevelInSpace is the highest level of @user in a namespace called n, which may be inherited; 0:
// none.
const LevelInSpace = `coalesce((
	select max(m.access_level)::int from ` + SpaceGrants + ` m
	where m.user_id = @user and m.namespace_id = any(n.traversal_ids)), 0)`

// LevelOfProject is the highest level that @user has by a project p itself; 0: none.
const LevelOfProject = `coalesce((
	select max(m.access_level)::int from ` + ProjectGrants + ` m where m.user_id = @user and m.project_id = p.id), 0)`

// LevelInProject is the highest level of @user in a project p of a namespace n.
const LevelInProject = `greatest(` + LevelInSpace + `, ` + LevelOfProject + `)`

// Granted are the ids of the namespaces (or projects) that @user has a level of at least least
// granted in; those below are not among them.
func Granted(least int) (spaces, projects string) {
	const mine = ` m where m.user_id = @user and m.access_level >= `
	return fmt.Sprint(`select m.namespace_id from `, SpaceGrants, mine, least),
		fmt.Sprint(`select m.project_id from `, ProjectGrants, mine, least)
}

// places are the ids of the namespaces where the user has any level, or in a project directly in
// them.
var places = func() string {
	spaces, projects := Granted(0)
	return spaces + ` union all select p.namespace_id from projects p where p.id in (` + projects + `)`
}()

// Owns is the condition that the user owns a namespace n, not by inheritance.
var Owns = `n.id in (
	select m.namespace_id from members m
	where m.user_id = @user and m.namespace_id is not null and ` + db.AsOwner + ` and ` + Live + `)`

// Belongs is the condition that the user has the level in a namespace n, granted in it or in one
// above it. Here and below the user's grants are read once a query, and held against each row; page
// decides whether rows or grants come first.
func Belongs(level int) string {
	spaces, _ := Granted(level)
	return `n.traversal_ids && array(` + spaces + `)`
}

// Mine is the condition that the user may see a namespace n as a member of it, of one above it, or
// of anything below it.
var Mine = Belongs(db.Guest) + `
	or n.id = any(array(select unnest(d.traversal_ids) from namespaces d where d.id in (` + places + `)))`

// Holds is the condition that @user has a level of at least least on a project p of a namespace n,
// inherited or not. The user's grants are read once a query, so that a row costs no more than a
// comparison.
func Holds(least int) string {
	spaces, projects := Granted(least)
	return `(n.traversal_ids && array(` + spaces + `) or p.id in (` + projects + `))`
}

// Viewer is a user who looks at invited groups and their members. It sees public groups and those
// it belongs to.
type Viewer struct {
	UserID int64
	All    bool // sees every group
}

// Seen is the condition that the viewer sees an invited group i.
var Seen = `(@all or i.visibility = ` + strconv.Itoa(int(db.Public)) + ` or exists (
	select from ` + SpaceGrants + ` m where m.user_id = @viewer and m.namespace_id = any(i.traversal_ids)))`

// LastingShare is the condition that a share s has not expired.
const LastingShare = `(s.expires_at is null or s.expires_at > current_date)`
