package merge

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/tree"
)

// The types of approval rules (spec 2 §2.5).
const (
	Regular        = "regular"
	AnyApprover    = "any_approver"
	CodeOwner      = "code_owner"
	ReportApprover = "report_approver"
)

// Rule is an approval rule as it is for one merge request: a row of merge_request_rules, or a rule
// of the project or of a group above it, whose SourceRuleID is then its own ID.
type Rule struct {
	ID                int64     `db:"id,auto"`
	RequestID         int64     `db:"merge_request_id"`
	SourceRuleID      *int64    `db:"source_rule_id"` // the rule of the project that it stands for
	Name              string    `db:"name"`           // of a code owner rule: the pattern
	RuleType          string    `db:"rule_type"`
	ReportType        *string   `db:"report_type"`        // of a report_approver
	Section           *string   `db:"section"`            // of CODEOWNERS
	ApprovalsRequired int       `db:"approvals_required"` // of a code owner rule: what its section says
	UserIDs           []int64   `db:"user_ids"`
	GroupIDs          []int64   `db:"group_ids"`   // whose direct members may approve
	RoleLevels        []int     `db:"role_levels"` // direct members of the project with just these roles
	Copied            bool      `db:"copied"`      // from the rule of the project, by the merge
	ApprovedByIDs     []int64   `db:"approved_by_ids"`
	CreatedAt         time.Time `db:"created_at,auto"`
	UpdatedAt         time.Time `db:"updated_at,auto"`

	OfProject bool                  `db:"-"` // it is the rule of the project itself
	Branches  bool                  `db:"-"` // it is for named branches
	Source    *protect.ApprovalRule `db:"-"` // the rule with SourceRuleID, if it is there
}

// isOwn reports whether the rule was given to the merge request in place of the project's.
func (r Rule) isOwn() bool { return r.RuleType != CodeOwner && !r.Copied }

// isOwned reports whether the rule requires approvals of code owners.
func (r Rule) isOwned() bool { return r.RuleType == CodeOwner && r.ApprovalsRequired > 0 }

// selectRules is the query of the rules of merge requests themselves, without a condition.
const selectRules = `select t.* from merge_request_rules t`

// ListRules lists the rules that a merge request has itself: its own and those of code owners.
func ListRules(ctx context.Context, st *db.Store, r Request, p db.Page) ([]Rule, int, error) {
	p.Order = protect.AnyApproverFirst
	orders := db.Order{protect.AnyApproverFirst: `t.rule_type <> 'any_approver'`}
	return db.List[Rule](ctx, st, p, orders, "t.id", selectRules, whereRules(r))
}

// FindRule returns a rule that a merge request has itself, or a not-found fault.
func FindRule(ctx context.Context, st *db.Store, r Request, id int64) (Rule, error) {
	w := whereRules(r)
	w.And(`t.id = @id`, id)
	return db.One[Rule](ctx, st, "Approval Rule", selectRules+w.String(), w.Args)
}

func whereRules(r Request) *db.Where {
	w := db.NewWhere(nil)
	w.And(`t.merge_request_id = @request`, r.ID)
	return w
}

// ruleSource is what the rules of a merge request follow from.
type ruleSource struct {
	own      []Rule
	project  []protect.ApprovalRule // those of the groups above included
	branches []protect.ProtectedRef // that the target branch matches
	settings protect.ApprovalSwitches[protect.ApprovalSetting]
}

// readRuleSource reads what the rules of a merge request of a project follow from.
func readRuleSource(ctx context.Context, st *db.Store, p tree.Project, r Request) (s ruleSource, err error) {
	if s, err = readProjectRules(ctx, st, p); err != nil {
		return s, err
	}
	own, err := ownRules(ctx, st, []int64{r.ID})
	return s.of(r, own[r.ID]), err
}

// of returns the source of the rules of a merge request of the project, which has rules itself.
func (s ruleSource) of(r Request, own []Rule) ruleSource {
	all := s.branches
	s.own, s.branches = own, nil
	for _, ref := range all {
		if protect.Matches(ref.Name, r.TargetBranch) {
			s.branches = append(s.branches, ref)
		}
	}
	return s
}

// ownRules returns the rules that merge requests have themselves, by the id of the merge request.
func ownRules(ctx context.Context, st *db.Store, ids []int64) (map[int64][]Rule, error) {
	rules, err := db.Many[Rule](ctx, st, `
		select t.* from merge_request_rules t where t.merge_request_id = any(@ids)
		order by t.rule_type <> 'any_approver', t.rule_type = 'code_owner', t.id`, pgx.NamedArgs{"ids": ids})
	byID := map[int64][]Rule{}
	for _, r := range rules {
		byID[r.RequestID] = append(byID[r.RequestID], r)
	}
	return byID, err
}

// readProjectRules reads what the rules of all merge requests of a project follow from; the
// branches are all that are protected.
func readProjectRules(ctx context.Context, st *db.Store, p tree.Project) (s ruleSource, err error) {
	src := tree.InProject(p)
	if s.settings, err = protect.ReadApprovalSettings(ctx, st, src); err != nil {
		return s, err
	}
	s.project, err = db.Many[protect.ApprovalRule](ctx, st, `
		select t.* from approval_rules t where t.project_id = @project or t.namespace_id = any(@namespaces)
		order by t.rule_type <> 'any_approver', t.id`,
		pgx.NamedArgs{"project": src.Project, "namespaces": src.Namespaces})
	if err != nil {
		return s, err
	}
	s.branches, err = protect.AllProtectedRefs(ctx, st, p.Container(), protect.Branch)
	return s, err
}

// overrides reports whether the merge request has rules of its own that hold in place of those of
// the project.
func (s ruleSource) overrides(r Request) bool {
	return r.RulesOverridden && (s.settings.Overrides.Value || r.State == Merged)
}

// rules returns the rules that hold for a merge request: its own if it has any and the project
// allows it, or else those of the project and of the groups above it; and those of code owners. Of
// them those hold that are for the target branch (more §6.3). For a merged request they are what
// they were then.
func (s ruleSource) rules(r Request) (rules []Rule) {
	if r.State == Merged {
		return s.own
	}
	if !s.overrides(r) {
		for _, p := range s.project {
			if s.isForTarget(p) {
				rules = append(rules, ruleOf(p))
			}
		}
	}
	for _, own := range s.own {
		own = s.complete(own)
		if own.isOwn() && (!s.overrides(r) || own.Source != nil && !s.isForTarget(*own.Source)) {
			continue
		}
		rules = append(rules, own)
	}
	return rules
}

// complete sets what a rule of a merge request itself does not keep: the rule of the project that
// it stands for, and whether the target branch demands the approval of code owners.
func (s ruleSource) complete(r Rule) Rule {
	if r.Source = s.find(r.SourceRuleID); r.Source != nil {
		r.Branches = namesBranches(*r.Source)
	}
	if r.RuleType == CodeOwner && !s.needsCodeOwners() {
		r.ApprovalsRequired = 0
	}
	return r
}

// IsOverridden reports whether the rule differs from the rule of the project that it stands for.
func (r Rule) IsOverridden() bool {
	s := r.Source
	return s != nil && (r.Name != s.Name || r.ApprovalsRequired != s.ApprovalsRequired ||
		!slices.Equal(r.UserIDs, s.UserIDs) || !slices.Equal(r.GroupIDs, s.GroupIDs))
}

// find returns the rule of the project with an id, nil if there is none.
func (s ruleSource) find(id *int64) *protect.ApprovalRule {
	n := slices.IndexFunc(s.project, func(p protect.ApprovalRule) bool { return id != nil && p.ID == *id })
	if n < 0 {
		return nil
	}
	return &s.project[n]
}

// isForTarget reports whether a rule of the project is for the target branch.
func (s ruleSource) isForTarget(p protect.ApprovalRule) bool {
	if p.AllProtected {
		return len(s.branches) > 0
	}
	return len(p.BranchIDs) == 0 || slices.ContainsFunc(s.branches, func(ref protect.ProtectedRef) bool {
		return slices.Contains(p.BranchIDs, ref.ID)
	})
}

// needsCodeOwners reports whether the target branch demands the approval of code owners.
func (s ruleSource) needsCodeOwners() bool {
	return slices.ContainsFunc(s.branches, func(ref protect.ProtectedRef) bool { return ref.CodeOwnerApprovalRequired })
}

// namesBranches reports whether a rule of the project is for branches that it names.
func namesBranches(p protect.ApprovalRule) bool { return len(p.BranchIDs) > 0 && !p.AllProtected }

// ruleOf returns a rule of the project as a rule of a merge request.
func ruleOf(p protect.ApprovalRule) Rule {
	return Rule{
		ID: p.ID, SourceRuleID: &p.ID, Name: p.Name, RuleType: p.RuleType, ReportType: p.ReportType,
		ApprovalsRequired: p.ApprovalsRequired, UserIDs: p.UserIDs, GroupIDs: p.GroupIDs,
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, OfProject: true,
		Branches: namesBranches(p), Source: &p,
	}
}

// approverLevel is the role that a user needs to approve. Reporters may only as members of an
// invited group, by a rule for named branches.
const approverLevel = int(policy.Developer)
