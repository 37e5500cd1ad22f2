package merge

import (
	"fmt"

	"hew/server/work"
)

// ApproverChoice narrows merge requests to those whose approval rules name users one by one; the
// zero value narrows nothing.
type ApproverChoice struct {
	IDs       []int64 // all of them
	None, Any bool
}

func (c ApproverChoice) asked() bool { return c.IDs != nil || c.None || c.Any }

// into adds what a merge request t of a project p of a namespace n has to meet.
func (c ApproverChoice) into(list *work.Conditions) {
	list.And(c.None, `not (`+namedBy(`r.user_ids <> '{}'`)+`)`)
	list.And(c.Any, namedBy(`r.user_ids <> '{}'`))
	for n, id := range c.IDs {
		list.And(true, namedBy(fmt.Sprintf(`@approver_%d = any(r.user_ids)`, n)), id)
	}
}

// namedBy returns the condition that a rule r which holds for a merge request t meets a condition.
// It is the rule of [ruleSource.rules].
func namedBy(condition string) string {
	// a branch that is protected by its name or by a pattern, in which * stands for any text
	const target = `f.kind = 'branch' and (f.project_id = t.project_id or f.namespace_id = any(n.traversal_ids))
		and t.target_branch like replace(replace(replace(replace(f.name, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%')`
	return `exists (select from merge_request_rules r where r.merge_request_id = t.id and ` + condition + `
			and (r.rule_type = 'code_owner' or t.rules_overridden or t.state = 'merged'))
		or not t.rules_overridden and t.state <> 'merged' and exists (select from approval_rules r
			where (r.project_id = t.project_id or r.namespace_id = any(n.traversal_ids)) and ` + condition + `
			and (case when r.applies_to_all_protected_branches
					then exists (select from protected_refs f where ` + target + `)
				when r.protected_branch_ids = '{}' then true
				else exists (select from protected_refs f where f.id = any(r.protected_branch_ids) and ` + target + `) end))`
}
