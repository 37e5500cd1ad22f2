package tree

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// A grant is a level of a user in a namespace, which holds for everything below it, or in a
// project. What a user may do follows from grants. Every query that judges a user reads them here,
// so that none forgets one of their sources:
//
//   - a membership;
//   - a share of a group: direct members of the invited group have their level of it, but at most
//     the share's;
//   - a share of a project: the same, and members that the invited group inherits or has by a share
//     count as well.
//
// Members of subgroups of an invited group are not members of it. Minimal access holds for the
// group itself and for nothing below it.

const (
	// Live is the condition that a membership m counts.
	Live = `m.membership_state = 'active' and (m.expires_at is null or m.expires_at > current_date)`
	// Lent is the condition that a share s passes a membership m, or a grant, on.
	Lent = `m.access_level >= 10 and (s.expires_at is null or s.expires_at > current_date)`
)

// SpaceGrants and ProjectGrants are subqueries of all grants: (user_id, namespace_id or project_id,
// access_level). Conditions on them, such as that on the user, are pushed down to the tables, which
// have indexes for both ends.
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

// LevelInSpace is the expression of the highest level of @user in a namespace called n, inherited
// ones included; 0 for none.
const LevelInSpace = `coalesce((
	select max(m.access_level)::int from ` + SpaceGrants + ` m
	where m.user_id = @user and m.namespace_id = any(n.traversal_ids)), 0)`

// LevelOfProject is the expression of the highest level of @user that a project p itself grants; 0
// for none.
const LevelOfProject = `coalesce((
	select max(m.access_level)::int from ` + ProjectGrants + ` m where m.user_id = @user and m.project_id = p.id), 0)`

// LevelInProject is the expression of the highest level of @user in a project p of a namespace n.
const LevelInProject = `greatest(` + LevelInSpace + `, ` + LevelOfProject + `)`

// LevelIn returns the highest stored level of a user in a group or project, inherited ones
// included, or 0. Callers that have waited for a lock must call it again.
func LevelIn(ctx context.Context, s *db.Store, c db.Container, userID int64) (int, error) {
	args := pgx.NamedArgs{"user": userID, "id": c.ID()}
	if c.ProjectID != nil {
		return db.Value[int](ctx, s, `select `+LevelInProject+ProjectTables+` where p.id = @id`, args)
	}
	return db.Value[int](ctx, s, `select `+LevelInSpace+` from namespaces n where n.id = @id`, args)
}

// Granted returns the subqueries of the ids of namespaces and projects that grant @user the level
// least or higher. Those that inherit it are not included.
func Granted(least int) (spaces, projects string) {
	const mine = ` m where m.user_id = @user and m.access_level >= `
	return fmt.Sprint(`select m.namespace_id from `, SpaceGrants, mine, least),
		fmt.Sprint(`select m.project_id from `, ProjectGrants, mine, least)
}

// places is the subquery of the ids of namespaces that grant the user any level, or that have a
// project directly in them which does.
var places = func() string {
	spaces, projects := Granted(0)
	return spaces + ` union all select p.namespace_id from projects p where p.id in (` + projects + `)`
}()

// Owns is the condition that the user owns a namespace n, not by inheritance.
var Owns = `n.id in (
	select m.namespace_id from members m
	where m.user_id = @user and m.namespace_id is not null and ` + db.AsOwner + ` and ` + Live + `)`

// Belongs returns the condition that the user has the level in a namespace n, granted by it or by
// one above it. Here and below, a query reads the user's grants once and compares each row with
// them.
func Belongs(level int) string {
	spaces, _ := Granted(level)
	return `n.traversal_ids && array(` + spaces + `)`
}

// Mine is the condition that the user may see a namespace n as a member of it, of one above it, or
// of anything below it.
var Mine = Belongs(db.Guest) + `
	or n.id = any(array(select unnest(d.traversal_ids) from namespaces d where d.id in (` + places + `)))`

// Holds returns the condition that @user has the level least or higher in a project p of a
// namespace n, inherited or not. A query reads the user's grants once, so that a row costs one
// comparison.
func Holds(least int) string {
	spaces, projects := Granted(least)
	return `(n.traversal_ids && array(` + spaces + `) or p.id in (` + projects + `))`
}

// Viewer is a caller who lists invited groups and their members. Visible are public groups and
// those that the caller is a member of.
type Viewer struct {
	UserID int64
	All    bool // they see all
}

// Seen is the condition that the viewer sees an invited group i.
var Seen = `(@all or i.visibility = ` + strconv.Itoa(int(db.Public)) + ` or exists (
	select from ` + SpaceGrants + ` m where m.user_id = @viewer and m.namespace_id = any(i.traversal_ids)))`

// LastingShare is the condition that a share s has not expired.
const LastingShare = `(s.expires_at is null or s.expires_at > current_date)`
