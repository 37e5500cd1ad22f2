package protect

import (
	"context"
	"slices"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/tree"
)

// Approvals are a group or project as far as approvals go, and the groups that the caller knows of.
type Approvals struct {
	tree.Source
	Visible group.GroupFilter
}

// RuleNames are whom and what a caller wants an approval rule to name. Each list replaces what was named; nil leaves it.
type RuleNames struct {
	UserIDs   *[]int64
	Usernames *[]string // beside UserIDs
	GroupIDs  *[]int64
	BranchIDs *[]int64
	Unhide    bool // groups that the caller does not know of go, which stay otherwise
}

// CreateApprovalRule makes an approval rule out of what fill says of it. Users and groups that have no access are dropped
// without a word (gaps §7.3).
func CreateApprovalRule(
	ctx context.Context, st *db.Store, a Approvals, names RuleNames, fill func(*ApprovalRule) error,
) (ApprovalRule, error) {
	r := NewApprovalRule(a.Source)
	if err := a.naming(ctx, names, fill)(st, &r); err != nil {
		return r, err
	}
	return ApprovalRules(st, r.Container).Create(ctx, r)
}

// ChangeApprovalRule lets change edit an approval rule, and stores the outcome.
func ChangeApprovalRule(
	ctx context.Context, st *db.Store, a Approvals, id int64, names RuleNames, change func(*ApprovalRule) error,
) (ApprovalRule, error) {
	return ApprovalRules(st, a.Container()).Change(ctx, db.ByID(id), a.naming(ctx, names, change))
}

// naming is an edit of a rule after which it also names whom and what it is to name.
func (a Approvals) naming(
	ctx context.Context, names RuleNames, edit func(*ApprovalRule) error,
) db.Edit[ApprovalRule] {
	return func(st *db.Store, r *ApprovalRule) (err error) {
		if err := db.Checked(edit, checkApprovalRule)(st, r); err != nil {
			return err
		}
		if names.UserIDs != nil || names.Usernames != nil {
			r.UserIDs, err = EligibleUsers(ctx, st, a.Source, all(names.UserIDs), all(names.Usernames))
			if err != nil {
				return err
			}
		}
		if err := a.nameGroups(ctx, st, names, r); err != nil || names.BranchIDs == nil {
			return err
		}
		r.BranchIDs = slices.Compact(slices.Sorted(slices.Values(*names.BranchIDs)))
		_, n, err := Protected(ctx, st, r.Container, Branch, db.Page{Limit: 1}, db.Among(r.BranchIDs))
		if err == nil && n < len(r.BranchIDs) {
			err = fault.Invalid("protected_branches", "all must exist within the project")
		}
		return err
	}
}

// nameGroups makes a rule name groups. What the caller does not know of, he can only remove as a whole.
func (a Approvals) nameGroups(ctx context.Context, st *db.Store, names RuleNames, r *ApprovalRule) error {
	if names.GroupIDs == nil && !names.Unhide {
		return nil
	}
	known, err := VisibleGroups(ctx, st, a.Visible, r.GroupIDs)
	if err != nil {
		return err
	}
	var shown, hidden []int64
	for _, id := range r.GroupIDs {
		if slices.ContainsFunc(known, func(g tree.Group) bool { return g.ID == id }) {
			shown = append(shown, id)
		} else if !names.Unhide {
			hidden = append(hidden, id)
		}
	}
	if names.GroupIDs != nil {
		if shown, err = EligibleGroups(ctx, st, a.Source, a.Visible, *names.GroupIDs); err != nil {
			return err
		}
	}
	r.GroupIDs = append(append([]int64{}, shown...), hidden...)
	return nil
}

func all[T any](list *[]T) []T {
	if list == nil {
		return nil
	}
	return *list
}

// mostApprovals is how many approvals a rule may ask for (gaps §7.3).
const mostApprovals = 100

// checkApprovalRule says what is wrong with an approval rule, if anything. A type of report is one of rules for reports only.
func checkApprovalRule(r ApprovalRule) error {
	var wrong check.Problems
	if strings.TrimSpace(r.Name) == "" {
		wrong.On("name", check.Blank)
	}
	wrong.Fits("name", r.Name, 255)
	switch {
	case r.ApprovalsRequired < 0:
		wrong.On("approvals_required", "must be greater than or equal to 0")
	case r.ApprovalsRequired > mostApprovals:
		wrong.On("approvals_required", "must be less than or equal to 100")
	}
	switch report := r.RuleType == "report_approver"; {
	case report && r.NamespaceID != nil: // policies make those of groups (spec 2 §4.3)
		wrong.On("rule_type", "is not included in the list")
	case report && r.ReportType == nil:
		wrong.On("report_type", check.Blank)
	case !report && r.ReportType != nil:
		wrong.On("report_type", "must be blank")
	}
	return wrong.Err()
}
