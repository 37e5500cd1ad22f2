package merge

import (
	"fmt"

	"hew/server/db"
)

// ApproverChoice narrows merge requests to those whose approval rules name users one by one; the
// zero value narrows nothing.
type ApproverChoice struct {
	IDs       []int64 // all of them
	None, Any bool
}

func (c ApproverChoice) asked() bool { return c.IDs != nil || c.None || c.Any }

// into adds what a merge request t in a place has to meet. The place's id is an argument already.
func (c ApproverChoice) into(w *db.Where, in db.Container) {
	const any = `r.user_ids <> '{}'`
	w.AndIf(c.None, `not (`+namedBy(any, in)+`)`)
	w.AndIf(c.Any, namedBy(any, in))
	for n, id := range c.IDs { // "= any" would not use the indexes of the arrays
		w.And(namedBy(fmt.Sprintf(`r.user_ids @> array[@approver_%d::bigint]`, n), in), id)
	}
}

// namedBy returns the condition that a rule r which holds for a merge request t meets a condition.
// It is the rule of [ruleSource.rules], as a query that begins with the rules, which are few.
func namedBy(condition string, in db.Container) string {
	// a branch that is protected by its name or by a pattern, in which * stands for any text
	const target = `f.kind = 'branch' and (f.project_id = m.project_id or f.namespace_id = any(o.traversal_ids))
		and m.target_branch like replace(replace(replace(replace(f.name, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%')`
	const projects = ` join projects q on q.id = m.project_id join namespaces o on o.id = q.namespace_id`
	place := func(project string) string {
		switch {
		case in.ProjectID != nil:
			return ` and ` + project + ` = @project`
		case in.NamespaceID != nil:
			return ` and o.traversal_ids @> array[@namespace::bigint]`
		}
		return ``
	}
	return `t.id in (
		select m.id from merge_request_rules r join merge_requests m on m.id = r.merge_request_id` + projects + `
		where ` + condition + place(`m.project_id`) + `
			and (r.rule_type = 'code_owner' or m.rules_overridden or m.state = 'merged')
		union all
		select m.id from (
				select r.*, r.project_id as holds_in from approval_rules r
				where r.project_id is not null and ` + condition + `
				union all
				select r.*, q.id from approval_rules r join namespaces o on o.traversal_ids @> array[r.namespace_id]
					join projects q on q.namespace_id = o.id
				where ` + condition + `) r
			cross join lateral ( -- without a rule, no merge request is read
				select m.* from merge_requests m
				where m.project_id = r.holds_in and m.state in ('opened', 'locked', 'closed') offset 0) m` +
		projects + `
		where not m.rules_overridden` + place(`r.holds_in`) + `
			and (case when r.applies_to_all_protected_branches
					then exists (select from protected_refs f where ` + target + `)
				when r.protected_branch_ids = '{}' then true
				else exists (select from protected_refs f where f.id = any(r.protected_branch_ids) and ` + target + `) end))`
}
