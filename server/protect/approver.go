package protect

import (
	"context"

	"hew/server/db"
	"hew/server/group"
	"hew/server/tree"
)

// isApprover is the condition that a user u has access to a source and so may approve there. It
// does not depend on who asks; an administrator who is a member of nothing approves nothing.
const isApprover = `exists (
		select from ` + tree.SpaceGrants + ` m where m.user_id = u.id and m.namespace_id = any(@namespaces)
			and m.access_level >= 10)
	or exists (
		select from ` + tree.ProjectGrants + ` m where m.user_id = u.id and m.project_id = @project
			and m.access_level >= 10)`

// eligibleUsers returns the ids of the named users who may approve in the source.
func eligibleUsers(ctx context.Context, s *db.Store, src tree.Source, ids []int64, names []string) ([]int64, error) {
	args := src.Access()
	args["ids"], args["names"] = ids, names
	return db.Value[[]int64](ctx, s, `
		select coalesce(array_agg(u.id order by u.id), '{}') from users u
		where (u.id = any(@ids) or lower(u.username) in (select lower(name) from unnest(@names::text[]) name))
		  and (`+isApprover+`)`, args)
}

// VisibleGroups returns the named groups that are visible, ordered by id.
func VisibleGroups(ctx context.Context, s *db.Store, visible group.GroupFilter, ids []int64) ([]tree.Group, error) {
	w := visible.Where()
	w.And(`n.id = any(@groups)`, ids)
	return db.Many[tree.Group](ctx, s, `select n.* from namespaces n`+w.String()+` order by n.id`, w.Args)
}

// Approver is a user who may approve by a rule.
type Approver struct {
	RuleID int64        `db:"rule_id"`
	Named  bool         `db:"named"` // by the rule itself
	Active bool         `db:"active"`
	Person *tree.Person `db:"person"`
}

// Approvers returns who may approve by rules of a source: the users that they name, and the direct
// members of those of their groups that are among groups. Users without access to the source are
// left out. It costs one query for a whole page of rules.
func Approvers(
	ctx context.Context, s *db.Store, src tree.Source, rules []ApprovalRule, groups []int64,
) ([]Approver, error) {
	ids := make([]int64, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	args := src.Access()
	args["rules"], args["groups"] = ids, groups
	return db.Many[Approver](ctx, s, `
		select c.rule_id, bool_or(c.named) as named, u.state = 'active' as active,
			`+tree.PersonColumn("u.id")+` as person
		from (
			select t.id as rule_id, unnest(t.user_ids) as user_id, true as named from approval_rules t
				where t.id = any(@rules)
			union all
			select t.id, m.user_id, false
			from approval_rules t join members m on m.namespace_id = any(t.group_ids)
			where t.id = any(@rules) and m.namespace_id = any(@groups) and m.access_level >= 10 and `+tree.Live+`) c
		join users u on u.id = c.user_id
		where `+isApprover+`
		group by c.rule_id, u.id order by c.rule_id, u.id`, args)
}
