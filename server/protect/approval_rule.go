package protect

import (
	"context"
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
	return db.HeldIn[ApprovalRule](s, c, "approval_rules")
}

// isApprover is the condition that a user u has access to a source and so may approve there. It
// does not depend on who asks; an administrator who is a member of nothing approves nothing.
const isApprover = `exists (
		select from ` + tree.SpaceGrants + ` m where m.user_id = u.id and m.namespace_id = any(@namespaces)
			and m.access_level >= 10)
	or exists (
		select from ` + tree.ProjectGrants + ` m where m.user_id = u.id and m.project_id = @project
			and m.access_level >= 10)`

// isApproverGroup is the condition that the members of a group n have access to a source: it is a
// group above the source, or is invited there. In a group, the groups below it count as well.
const isApproverGroup = `n.id = any(@namespaces)
	or @project::bigint is null and n.traversal_ids @> @self::bigint[]
	or n.id in (
		select s.group_id from shares s
		where (s.project_id = @project or s.namespace_id = any(@namespaces)) and ` + tree.LastingShare + `)`

// eligibleUsers returns the ids of the named users who may approve in the source.
func eligibleUsers(ctx context.Context, s *db.Store, src tree.Source, ids []int64, names []string) ([]int64, error) {
	args := src.Access()
	args["ids"], args["names"] = ids, names
	return db.Value[[]int64](ctx, s, `
		select coalesce(array_agg(u.id order by u.id), '{}') from users u
		where (u.id = any(@ids) or lower(u.username) in (select lower(name) from unnest(@names::text[]) name))
		  and (`+isApprover+`)`, args)
}

// eligibleGroups returns the ids of the named groups that are visible and whose members may approve
// in the source.
func eligibleGroups(
	ctx context.Context, s *db.Store, src tree.Source, visible group.GroupFilter, ids []int64,
) ([]int64, error) {
	w := visible.Where()
	for name, arg := range src.Access() {
		w.Args[name] = arg
	}
	w.And(true, `n.id = any(@groups)`, ids)
	w.And(true, isApproverGroup)
	return db.Value[[]int64](ctx, s, `select coalesce(array_agg(n.id order by n.id), '{}')
		from namespaces n`+w.String(), w.Args)
}

// VisibleGroups returns the named groups that are visible, ordered by id.
func VisibleGroups(ctx context.Context, s *db.Store, visible group.GroupFilter, ids []int64) ([]tree.Group, error) {
	w := visible.Where()
	w.And(true, `n.id = any(@groups)`, ids)
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

// CreateApprovalRule creates an approval rule that fill completes. Users and groups without access
// are left out silently (gaps §7.3).
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
			r.UserIDs, err = eligibleUsers(ctx, st, a.Source, valuesOf(names.UserIDs), valuesOf(names.Usernames))
			if err != nil {
				return err
			}
		}
		if err := a.nameGroups(ctx, st, names, r); err != nil || names.BranchIDs == nil {
			return err
		}
		r.BranchIDs = slices.Compact(slices.Sorted(slices.Values(*names.BranchIDs)))
		_, n, err := ListProtectedRefs(ctx, st, r.Container, Branch, db.Page{Limit: 1}, db.Among(r.BranchIDs))
		if err == nil && n < len(r.BranchIDs) {
			err = fault.Invalid("protected_branches", "all must exist within the project")
		}
		return err
	}
}

// nameGroups replaces the groups of a rule. Groups that the caller cannot see stay, unless all of
// them are removed at once.
func (a ApprovalScope) nameGroups(ctx context.Context, st *db.Store, names RuleNames, r *ApprovalRule) error {
	if names.GroupIDs == nil && !names.RemoveHidden {
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
		} else if !names.RemoveHidden {
			hidden = append(hidden, id)
		}
	}
	if names.GroupIDs != nil {
		if shown, err = eligibleGroups(ctx, st, a.Source, a.Visible, *names.GroupIDs); err != nil {
			return err
		}
	}
	r.GroupIDs = append(append([]int64{}, shown...), hidden...)
	return nil
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
