package forge

import (
	"context"
	"slices"
	"strings"

	"hew/server/fault"
	"hew/server/store"
)

// Approvals are a group or project as far as approvals go, and the groups that the caller knows of.
type Approvals struct {
	store.Source
	Visible store.GroupFilter
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
	ctx context.Context, st *store.Store, a Approvals, names RuleNames, fill func(*store.ApprovalRule) error,
) (store.ApprovalRule, error) {
	r := a.NewApprovalRule()
	if err := a.naming(ctx, st, names, fill)(&r); err != nil {
		return r, err
	}
	return st.ApprovalRules(r.Container).Create(ctx, r)
}

// ChangeApprovalRule lets change edit an approval rule, and stores the outcome.
func ChangeApprovalRule(
	ctx context.Context, st *store.Store, a Approvals, id int64, names RuleNames, change func(*store.ApprovalRule) error,
) (store.ApprovalRule, error) {
	return st.ApprovalRules(a.Container()).Change(ctx, store.ByID(id), a.naming(ctx, st, names, change))
}

// naming is an edit of a rule after which it also names whom and what it is to name.
func (a Approvals) naming(
	ctx context.Context, st *store.Store, names RuleNames, edit func(*store.ApprovalRule) error,
) func(*store.ApprovalRule) error {
	return func(r *store.ApprovalRule) (err error) {
		if err := checked(edit, checkApprovalRule)(r); err != nil {
			return err
		}
		if names.UserIDs != nil || names.Usernames != nil {
			r.UserIDs, err = st.EligibleUsers(ctx, a.Source, all(names.UserIDs), all(names.Usernames))
			if err != nil {
				return err
			}
		}
		if err := a.nameGroups(ctx, st, names, r); err != nil || names.BranchIDs == nil {
			return err
		}
		r.BranchIDs = slices.Compact(slices.Sorted(slices.Values(*names.BranchIDs)))
		_, n, err := st.Protected(ctx, r.Container, store.Branch, store.Page{Limit: 1}, store.Among(r.BranchIDs))
		if err == nil && n < len(r.BranchIDs) {
			err = fault.Invalid("protected_branches", "all must exist within the project")
		}
		return err
	}
}

// nameGroups makes a rule name groups. What the caller does not know of, he can only remove as a whole.
func (a Approvals) nameGroups(ctx context.Context, st *store.Store, names RuleNames, r *store.ApprovalRule) error {
	if names.GroupIDs == nil && !names.Unhide {
		return nil
	}
	known, err := st.VisibleGroups(ctx, a.Visible, r.GroupIDs)
	if err != nil {
		return err
	}
	var shown, hidden []int64
	for _, id := range r.GroupIDs {
		if slices.ContainsFunc(known, func(g store.Group) bool { return g.ID == id }) {
			shown = append(shown, id)
		} else if !names.Unhide {
			hidden = append(hidden, id)
		}
	}
	if names.GroupIDs != nil {
		if shown, err = st.EligibleGroups(ctx, a.Source, a.Visible, *names.GroupIDs); err != nil {
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
func checkApprovalRule(r store.ApprovalRule) error {
	var wrong problems
	if strings.TrimSpace(r.Name) == "" {
		wrong.on("name", blank)
	}
	wrong.fits("name", r.Name, 255)
	switch {
	case r.ApprovalsRequired < 0:
		wrong.on("approvals_required", "must be greater than or equal to 0")
	case r.ApprovalsRequired > mostApprovals:
		wrong.on("approvals_required", "must be less than or equal to 100")
	}
	switch report := r.RuleType == "report_approver"; {
	case report && r.NamespaceID != nil: // policies make those of groups (spec 2 §4.3)
		wrong.on("rule_type", "is not included in the list")
	case report && r.ReportType == nil:
		wrong.on("report_type", blank)
	case !report && r.ReportType != nil:
		wrong.on("report_type", "must be blank")
	}
	return wrong.err()
}
