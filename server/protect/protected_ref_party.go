package protect

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// setRefLevels replaces the levels of a protected ref. A level with an id keeps it.
func setRefLevels(ctx context.Context, s *db.Store, refID int64, levels []RefLevel) error {
	const given = `jsonb_to_recordset(@levels::jsonb) as g (
		id bigint, act text, access_level integer, user_id bigint, group_id bigint, deploy_key_id bigint)`
	args := pgx.NamedArgs{"ref": refID, "levels": levels}
	for _, sql := range []string{
		`delete from protected_ref_levels where protected_ref_id = @ref and id not in (select g.id from ` + given + `)`,
		`update protected_ref_levels l
		 set (access_level, user_id, group_id, deploy_key_id) = row(g.access_level, g.user_id, g.group_id,
		   g.deploy_key_id)
		 from ` + given + ` where l.protected_ref_id = @ref and l.id = g.id`,
		`insert into protected_ref_levels (protected_ref_id, act, access_level, user_id, group_id, deploy_key_id)
		 select @ref, g.act, g.access_level, g.user_id, g.group_id, g.deploy_key_id from ` + given + ` where g.id = 0`,
	} {
		if err := s.Exec(ctx, sql, args); err != nil {
			return err
		}
	}
	return nil
}

// Users and groups in an access level must belong to the project p, or the group n, of the ref:
// users as members, groups as ancestors of the project or because it, or an ancestor of it, is
// shared with them.

func userBelongs(user string) string {
	return strings.ReplaceAll(tree.LevelInProject, "@user", user) + ` > 0`
}

func groupBelongs(group string) string {
	return `(` + group + ` = any(n.traversal_ids) or exists (
		select from shares s where s.group_id = ` + group + ` and ` + tree.LastingShare + `
		  and (s.project_id = p.id or s.namespace_id = any(n.traversal_ids))))`
}

// refParties are users, groups and deploy keys that levels name.
type refParties struct{ Users, Groups, Keys []int64 }

// refParty is one of them, and what it is to a group or project.
type refParty struct {
	Kind    string `db:"kind"` // user, group, deploy key
	ID      int64  `db:"id"`
	Belongs bool   `db:"belongs"` // a deploy key: it may push
}

// findRefParties returns what users, groups and deploy keys are to a group or project. Users and
// groups that do not exist are left out, as are deploy keys that are not enabled there.
func findRefParties(ctx context.Context, s *db.Store, c db.Container, who refParties) ([]refParty, error) {
	return db.Many[refParty](ctx, s, `
		with place as (
		    select n.*, p.id as project from namespaces n left join projects p on p.id = @project
		    where n.id = coalesce(@namespace, p.namespace_id))
		select 'user' as kind, u.id, `+userBelongs("u.id")+` as belongs
		from users u cross join place n left join projects p on p.id = n.project where u.id = any(@users)
		union all
		select 'group', g.id, `+groupBelongs("g.id")+`
		from namespaces g cross join place n left join projects p on p.id = n.project where g.id = any(@groups)
			and g.kind = 'group'
		union all
		select 'deploy key', e.deploy_key_id, e.can_push
		from deploy_keys_projects e where e.project_id = @project and e.deploy_key_id = any(@keys)`,
		pgx.NamedArgs{"project": c.ProjectID, "namespace": c.NamespaceID, "users": who.Users, "groups": who.Groups,
			"keys": who.Keys})
}

// groupsOf returns those of the groups that a user is a member of, inherited memberships included.
func groupsOf(ctx context.Context, s *db.Store, userID int64, groups []int64) ([]int64, error) {
	if len(groups) == 0 || userID == 0 {
		return nil, nil
	}
	return db.Values[int64](ctx, s, `
		select n.id from namespaces n where n.id = any(@groups) and `+tree.LevelInSpace+` > 0`,
		pgx.NamedArgs{"user": userID, "groups": groups})
}

// removeLostRefLevels deletes levels in a source and below it whose user or group no longer belongs
// there, so that nobody who returns later still has them. It checks one user only, unless user is
// nil.
func removeLostRefLevels(ctx context.Context, s *db.Store, src tree.Source, user *int64) error {
	w := db.NewWhere(nil)
	w.And(`l.protected_ref_id = t.id`)
	w.AndIf(src.Project != nil, `p.id = @project`, src.Project)
	w.AndIf(src.Project == nil, `n.traversal_ids @> array[@namespace::bigint]`, src.Direct())
	w.AndIf(user != nil, `l.user_id = @user`, user)
	w.And(`l.user_id is not null and not ` + userBelongs("l.user_id") + ` or l.group_id is not null
		and not ` + groupBelongs("l.group_id"))
	return s.Exec(ctx, `
		delete from protected_ref_levels l
		using protected_refs t left join projects p on p.id = t.project_id
		      join namespaces n on n.id = coalesce(t.namespace_id, p.namespace_id)`+w.String(), w.Args)
}
