package merge

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/protect"
	"hew/server/tree"
)

// RuleEditor is where somebody edits the rules that a merge request has in place of the project's.
type RuleEditor struct {
	protect.ApprovalScope // the project
	Project               tree.Project
	RequestID             int64
}

// Create gives the merge request a rule that edit completes: a copy of a rule of the project, if
// the source is not 0. A rule that names nobody is for any approver. The first rule takes the place
// of all those of the project (more §6.3). Users without access and groups that the caller cannot
// see are left out, as they are from rules of projects.
func (e RuleEditor) Create(
	ctx context.Context, st *db.Store, source int64, names protect.RuleNames, edit func(*Rule) error,
) (rule Rule, err error) {
	err = e.change(ctx, st, func(st *db.Store, r *Request, s ruleSource) error {
		rule = Rule{RequestID: r.ID, RuleType: Regular}
		if source != 0 {
			of := s.find(&source)
			if of == nil {
				return fault.Invalid("approval_project_rule", db.Missing)
			}
			rule = ruleOf(*of)
			rule.ID, rule.RequestID, rule.OfProject = 0, r.ID, false
		}
		if err := e.fill(ctx, st, &rule, names, edit); err != nil {
			return err
		}
		if source == 0 && len(rule.UserIDs)+len(rule.GroupIDs) == 0 && names == (protect.RuleNames{}) {
			rule.RuleType = AnyApprover
		}
		r.RulesOverridden = true
		return e.store(ctx, st, *r, &rule)
	})
	return rule, err
}

// Change edits a rule of the merge request.
func (e RuleEditor) Change(
	ctx context.Context, st *db.Store, id int64, names protect.RuleNames, edit func(*Rule) error,
) (rule Rule, err error) {
	err = e.change(ctx, st, func(st *db.Store, r *Request, _ ruleSource) error {
		if rule, err = findOwn(ctx, st, *r, id); err != nil {
			return err
		}
		if err := e.fill(ctx, st, &rule, names, edit); err != nil {
			return err
		}
		return e.store(ctx, st, *r, &rule)
	})
	return rule, err
}

// store writes a rule, and reads what was written.
func (RuleEditor) store(ctx context.Context, st *db.Store, r Request, rule *Rule) (err error) {
	id := rule.ID
	if id == 0 {
		id, err = st.Insert(ctx, "merge_request_rules", *rule)
	} else {
		err = st.Update(ctx, "merge_request_rules", *rule)
	}
	if err == nil {
		*rule, err = FindRule(ctx, st, r, id)
	}
	return err
}

// findOwn returns a rule that a merge request has in place of the project's. Those of code owners
// are forbidden: they follow from a file.
func findOwn(ctx context.Context, st *db.Store, r Request, id int64) (Rule, error) {
	rule, err := FindRule(ctx, st, r, id)
	if err == nil && !rule.isOwn() {
		err = fault.Forbidden("")
	}
	return rule, err
}

// Delete deletes a rule of the merge request. After the last one the project's hold again. It calls
// unless with the time of the last change, and deletes nothing if that returns an error.
func (e RuleEditor) Delete(
	ctx context.Context, st *db.Store, id int64, unless func(ctx context.Context, changed time.Time) error,
) error {
	return e.change(ctx, st, func(st *db.Store, r *Request, _ ruleSource) error {
		rule, err := findOwn(ctx, st, *r, id)
		if err != nil {
			return err
		}
		if err := unless(ctx, rule.UpdatedAt); err != nil {
			return err
		}
		r.RulesOverridden, err = db.Value[bool](ctx, st, `
			with gone as (delete from merge_request_rules where id = @id)
			select exists (select from merge_request_rules where merge_request_id = @request and id <> @id
				and rule_type <> 'code_owner')`, pgx.NamedArgs{"id": rule.ID, "request": r.ID})
		return err
	})
}

// RequireAny makes the merge request require a number of approvals of any approver, beside other
// rules of its own.
func (e RuleEditor) RequireAny(ctx context.Context, st *db.Store, n int) error {
	return e.change(ctx, st, func(st *db.Store, r *Request, s ruleSource) error {
		rule := Rule{RequestID: r.ID, RuleType: AnyApprover, Name: AllMembers, ApprovalsRequired: n}
		if err := checkRule(rule); err != nil {
			return err
		}
		r.RulesOverridden = true
		for _, own := range s.own {
			if own.RuleType == AnyApprover {
				own.ApprovalsRequired = n
				return st.Update(ctx, "merge_request_rules", own)
			}
		}
		_, err := st.Insert(ctx, "merge_request_rules", rule)
		return err
	})
}

// AllMembers is the name of a rule for any approver that nobody gave a name.
const AllMembers = "All Members"

// change locks the merge request for an edit of its rules. It returns 403 if the settings forbid
// rules of its own, or if it is merged.
func (e RuleEditor) change(
	ctx context.Context, st *db.Store, edit func(*db.Store, *Request, ruleSource) error,
) error {
	_, err := Requests(st, e.Project.ID).Change(ctx, db.ByID(e.RequestID), func(st *db.Store, r *Request) error {
		s, err := readRuleSource(ctx, st, e.Project, *r)
		if err != nil {
			return err
		}
		if !s.settings.Overrides.Value || r.State == Merged || r.State == Locked {
			return fault.Forbidden("")
		}
		return edit(st, r, s)
	})
	return err
}

// fill edits a rule and replaces whom it names.
func (e RuleEditor) fill(
	ctx context.Context, st *db.Store, rule *Rule, names protect.RuleNames, edit func(*Rule) error,
) (err error) {
	if err := edit(rule); err != nil {
		return err
	}
	if err := checkRule(*rule); err != nil {
		return err
	}
	if names.UserIDs != nil || names.Usernames != nil {
		if rule.UserIDs, err = e.NamedUsers(ctx, st, names); err != nil {
			return err
		}
	}
	rule.GroupIDs, err = e.NamedGroups(ctx, st, names, rule.GroupIDs)
	return err
}

// checkRule returns the problems of a rule.
func checkRule(r Rule) error {
	var wrong check.Problems
	if strings.TrimSpace(r.Name) == "" {
		wrong.On("name", check.Blank)
	}
	wrong.Fits("name", r.Name, maxRuleName)
	switch {
	case r.ApprovalsRequired < 0:
		wrong.On("approvals_required", "must be greater than or equal to 0")
	case r.ApprovalsRequired > maxRequired:
		wrong.On("approvals_required", fmt.Sprint("must be less than or equal to ", maxRequired))
	}
	return wrong.Err()
}
