package merge

import (
	"context"
	"fmt"

	"hew/server/db"
)

// RequireMore makes a new merge request require at least a number of approvals of any approver, as
// approvals_before_merge asks (spec 2 §4.2). It keeps what the project requires: the merge request
// gets copies of its rules. It does nothing if they require so many already.
func (e RuleEditor) RequireMore(ctx context.Context, st *db.Store, n int) error {
	return e.change(ctx, st, func(st *db.Store, r *Request, s ruleSource) error {
		more := Rule{RequestID: r.ID, RuleType: AnyApprover, Name: AllMembers, ApprovalsRequired: n}
		if err := checkRule(more); err != nil {
			return err
		}
		all := []Rule{more}
		names := map[string]bool{}
		for _, rule := range s.rules(*r) {
			switch {
			case !rule.OfProject:
				continue
			case rule.RuleType == AnyApprover && rule.ApprovalsRequired >= n:
				return nil
			case rule.RuleType == AnyApprover:
				all[0].Name, all[0].SourceRuleID = rule.Name, rule.SourceRuleID
				continue
			case names[rule.Name]: // one of a group, and one of the project
				rule.Name = fmt.Sprintf("%s (%d)", rule.Name, rule.ID)
			}
			names[rule.Name] = true
			rule.ID, rule.RequestID, rule.OfProject = 0, r.ID, false
			all = append(all, rule)
		}
		for _, rule := range all {
			if _, err := st.Insert(ctx, "merge_request_rules", rule); err != nil {
				return err
			}
		}
		r.RulesOverridden = true
		return nil
	})
}
