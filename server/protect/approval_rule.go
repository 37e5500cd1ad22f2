package protect

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/tree"
)

// ApprovalRule says how many approvals of whom a merge request needs: those of a project, or of
// every project in a group (spec 2 §2.5, §4.3). Ids of users, groups and branches that no longer
// exist match nothing.
type ApprovalRule struct {
	ID int64 `db:"id,auto" json:"id"`
	db.Container
	Name              string    `db:"name" json:"name"`
	RuleType          string    `db:"rule_type" json:"rule_type"`     // regular, any_approver, report_approver
	ReportType        *string   `db:"report_type" json:"report_type"` // of a report_approver
	ApprovalsRequired int       `db:"approvals_required" json:"approvals_required"`
	UserIDs           []int64   `db:"user_ids" json:"-"`
	GroupIDs          []int64   `db:"group_ids" json:"-"`            // whose direct members may approve
	BranchIDs         []int64   `db:"protected_branch_ids" json:"-"` // none: all branches
	AllProtected      bool      `db:"applies_to_all_protected_branches" json:"applies_to_all_protected_branches"`
	CreatedAt         time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt         time.Time `db:"updated_at,auto" json:"-"`
}

// newApprovalRule returns a rule that names nobody. The rule of a group applies to all protected
// branches of its projects.
func newApprovalRule(s tree.Source) ApprovalRule {
	return ApprovalRule{
		Container: s.Container(), RuleType: "regular", UserIDs: []int64{}, GroupIDs: []int64{}, BranchIDs: []int64{},
		AllProtected: s.Project == nil,
	}
}

// ApprovalRules returns the approval rules of a group or project itself, without those of groups
// above.
func ApprovalRules(s *db.Store, c db.Container) db.Held[ApprovalRule] {
	rules := db.NewHeld[ApprovalRule](s, c, "approval_rules")
	rules.Orders = db.Order{AnyApproverFirst: `t.rule_type <> 'any_approver'`}
	return rules
}

// AnyApproverFirst is the order of lists of approval rules: the one for any approver, then the
// others by id (gaps §15).
const AnyApproverFirst = "any_approver"

// ApprovalScope is where an approval rule is: a group or project, and the groups that the caller
// can see.
type ApprovalScope struct {
	tree.Source
	Visible group.GroupFilter
}

// RuleNames lists whom and what a caller wants an approval rule to name. Each list replaces the one
// before; nil keeps it.
type RuleNames struct {
	UserIDs      *[]int64
	Usernames    *[]string // beside UserIDs
	GroupIDs     *[]int64
	BranchIDs    *[]int64
	RemoveHidden bool // groups that the caller does not know of go, which stay otherwise
}

// CreateApprovalRule creates an approval rule that fill completes. Users without access and groups
// that the caller cannot see are left out silently (gaps §15).
func CreateApprovalRule(
	ctx context.Context, st *db.Store, a ApprovalScope, names RuleNames, fill func(*ApprovalRule) error,
) (ApprovalRule, error) {
	r := newApprovalRule(a.Source)
	if err := a.editNames(ctx, names, fill)(st, &r); err != nil {
		return r, err
	}
	return ApprovalRules(st, r.Container).Create(ctx, r)
}

// ChangeApprovalRule applies change to an approval rule and stores it.
func ChangeApprovalRule(
	ctx context.Context, st *db.Store, a ApprovalScope, id int64, names RuleNames, change func(*ApprovalRule) error,
) (ApprovalRule, error) {
	return ApprovalRules(st, a.Container()).Change(ctx, db.ByID(id), a.editNames(ctx, names, change))
}

// editNames returns an edit that applies edit and then replaces the lists of the rule.
func (a ApprovalScope) editNames(
	ctx context.Context, names RuleNames, edit func(*ApprovalRule) error,
) db.Edit[ApprovalRule] {
	return func(st *db.Store, r *ApprovalRule) (err error) {
		if err := db.Checked(edit, checkApprovalRule)(st, r); err != nil {
			return err
		}
		if names.UserIDs != nil || names.Usernames != nil {
			r.UserIDs, err = a.NamedUsers(ctx, st, names)
			if err != nil {
				return err
			}
		}
		if r.GroupIDs, err = a.NamedGroups(ctx, st, names, r.GroupIDs); err != nil || names.BranchIDs == nil {
			return err
		}
		r.BranchIDs = slices.Compact(slices.Sorted(slices.Values(*names.BranchIDs)))
		_, n, err := ListProtectedRefs(ctx, st, r.Container, Branch, db.Page{Limit: 1}, db.WithIDs(r.BranchIDs))
		if err == nil && n < len(r.BranchIDs) {
			err = fault.Invalid("protected_branches", "all must exist within the project")
		}
		return err
	}
}

// NamedUsers returns the ids of those of the named users who have access.
func (a ApprovalScope) NamedUsers(ctx context.Context, st *db.Store, names RuleNames) ([]int64, error) {
	return eligibleUsers(ctx, st, a.Source, valuesOf(names.UserIDs), valuesOf(names.Usernames))
}

// NamedGroups returns the groups of a rule that has some already: those named that the caller can
// see, with access or not (gaps §15). Groups that the caller cannot see stay, unless all of them are
// removed at once.
func (a ApprovalScope) NamedGroups(
	ctx context.Context, st *db.Store, names RuleNames, has []int64,
) ([]int64, error) {
	if names.GroupIDs == nil && !names.RemoveHidden {
		return has, nil
	}
	known, err := VisibleGroups(ctx, st, a.Visible, has)
	if err != nil {
		return nil, err
	}
	var shown, hidden []int64
	for _, id := range has {
		if slices.ContainsFunc(known, func(g tree.Group) bool { return g.ID == id }) {
			shown = append(shown, id)
		} else if !names.RemoveHidden {
			hidden = append(hidden, id)
		}
	}
	if names.GroupIDs != nil {
		named, err := VisibleGroups(ctx, st, a.Visible, *names.GroupIDs)
		if err != nil {
			return nil, err
		}
		shown = nil
		for _, g := range named {
			shown = append(shown, g.ID)
		}
	}
	return append(append([]int64{}, shown...), hidden...), nil
}

func valuesOf[T any](list *[]T) []T {
	if list == nil {
		return nil
	}
	return *list
}

// maxApprovals is how many approvals a rule may require (gaps §7.3).
const maxApprovals = 100

// checkApprovalRule returns the problems of an approval rule. Only a report_approver has a report
// type.
func checkApprovalRule(r ApprovalRule) error {
	var wrong check.Problems
	if strings.TrimSpace(r.Name) == "" {
		wrong.On("name", check.Blank)
	}
	wrong.Fits("name", r.Name, 255)
	switch {
	case r.ApprovalsRequired < 0:
		wrong.On("approvals_required", "must be greater than or equal to 0")
	case r.ApprovalsRequired > maxApprovals:
		wrong.On("approvals_required", fmt.Sprint("must be less than or equal to ", maxApprovals))
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
