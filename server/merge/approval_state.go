package merge

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/protect"
	"hew/server/tree"
)

// RuleState is a rule of a merge request with who may approve by it and who has.
type RuleState struct {
	Rule
	Eligible   []tree.Person // by id; nobody by name where any approver counts
	Users      []tree.Person // whom the rule itself names, if they have access to the project
	ApprovedBy []tree.Person // whose approvals count for the rule, by time

	by map[int64][]int64 // eligible users whom the rule has only by groups, and these groups
}

// EligibleBy returns the users who may approve by the rule, without those whom it has only by
// groups that are not among the visible ones.
func (r RuleState) EligibleBy(visible map[int64]tree.Group) (list []tree.Person) {
	for _, p := range r.Eligible {
		groups, only := r.by[p.ID]
		if !only || slices.ContainsFunc(groups, func(id int64) bool { _, ok := visible[id]; return ok }) {
			list = append(list, p)
		}
	}
	return list
}

// Left returns how many approvals are missing.
func (r RuleState) Left() int { return max(0, r.ApprovalsRequired-len(r.ApprovedBy)) }

// IsInvalid reports whether the rule requires more approvals than there are users who may give
// them (more §6.3).
func (r RuleState) IsInvalid() bool {
	return r.RuleType != AnyApprover && r.ApprovalsRequired > len(r.Eligible)
}

// Approved reports whether the rule is satisfied. An invalid one is once all who may approve have,
// except where a policy demands it.
func (r RuleState) Approved() bool {
	if r.Left() == 0 {
		return true
	}
	policy := r.ReportType != nil && !r.isAboutCoverage()
	return r.IsInvalid() && !policy && len(r.ApprovedBy) == len(r.Eligible)
}

// Approvals is what is decided about a merge request: the rules that hold for it, and who approved
// it.
type Approvals struct {
	Settings   protect.ApprovalSwitches[protect.ApprovalSetting]
	Rules      []RuleState // any_approver first, then by id, those of code owners last
	Given      []Approval  // by time
	Overridden bool        // the rules are of the merge request and not of the project

	open    bool
	covered bool // its pipeline lifts the rules about coverage
	barred  barred
	levels  map[int64]int // of those who approved, and of the user who asks
}

// ReadApprovals reads the approvals of a merge request of a project, for a user who may want to
// approve it; 0 for nobody. The number of queries does not depend on that of rules.
func ReadApprovals(
	ctx context.Context, st *db.Store, p tree.Project, r Request, userID int64,
) (a Approvals, err error) {
	source, err := readRuleSource(ctx, st, p, r)
	if err != nil {
		return a, err
	}
	rules := source.rules(r)
	covered, err := coveredOf(ctx, st, rules, r)
	if err != nil {
		return a, err
	}
	a.covered = covered[r.ID]
	return a, a.read(ctx, st, p, r, source, rules, userID)
}

// ReadApprovalsOf reads the approvals of a merge request of a project with rules of its own,
// whether or not they apply to it.
func ReadApprovalsOf(
	ctx context.Context, st *db.Store, p tree.Project, r Request, rules []Rule,
) (a Approvals, err error) {
	source, err := readRuleSource(ctx, st, p, r)
	if err != nil {
		return a, err
	}
	for n := range rules {
		if r.State != Merged {
			rules[n] = source.complete(rules[n])
		}
	}
	return a, a.read(ctx, st, p, r, source, rules, 0)
}

// read reads who may approve by rules and who has.
func (a *Approvals) read(
	ctx context.Context, st *db.Store, p tree.Project, r Request, source ruleSource, rules []Rule, userID int64,
) (err error) {
	if a.Given, err = givenTo(ctx, st, r); err != nil {
		return err
	}
	barred, err := barredFrom(ctx, st, p, source.settings, requestRules{r, rules})
	if err != nil {
		return err
	}
	a.barred = barred[r.ID]
	others := []int64{userID}
	for _, given := range a.Given {
		others = append(others, given.UserID)
	}
	users, err := ruleUsersOf(ctx, st, tree.InProject(p), rules, others)
	if err != nil {
		return err
	}
	a.Settings, a.Overridden, a.open = source.settings, source.overrides(r), r.State == Opened
	a.count(rules, users, r.State == Merged)
	return nil
}

// count sets the states of rules from the users that they name and the approvals that were given.
// Of a merged request those approvals count that counted then.
func (a *Approvals) count(rules []Rule, users []ruleUser, merged bool) {
	a.Rules, a.levels = make([]RuleState, len(rules)), map[int64]int{}
	for n, r := range rules {
		if a.covered && r.isAboutCoverage() {
			r.ApprovalsRequired = 0
		}
		a.Rules[n] = RuleState{Rule: r, by: map[int64][]int64{}}
	}
	for _, u := range users {
		a.levels[u.Person.ID] = u.Level
		if u.Rule < 0 {
			continue
		}
		s := &a.Rules[u.Rule]
		if u.Named && u.Level > 0 {
			s.Users = append(s.Users, u.Person)
		}
		if u.may(s.Rule) && !a.barred.from(s.Rule, u.Person.ID) && s.RuleType != AnyApprover {
			s.Eligible = append(s.Eligible, u.Person)
			if !u.Named && !u.Role {
				s.by[u.Person.ID] = u.Groups
			}
		}
	}
	for n := range a.Rules {
		s := &a.Rules[n]
		for _, given := range a.Given {
			if merged && slices.Contains(s.ApprovedByIDs, given.UserID) || !merged && a.counts(*s, given.UserID) {
				s.ApprovedBy = append(s.ApprovedBy, given.Person)
			}
		}
	}
}

// counts reports whether the approval of a user counts for a rule: any_approver counts all of
// those who may approve at all.
func (a *Approvals) counts(s RuleState, userID int64) bool {
	if s.RuleType == AnyApprover {
		return !a.barred.always[userID]
	}
	return isAmong(s.Eligible, userID)
}

func isAmong(list []tree.Person, userID int64) bool {
	return slices.ContainsFunc(list, func(p tree.Person) bool { return p.ID == userID })
}

// Approved reports whether all rules are satisfied.
func (a Approvals) Approved() bool { return len(a.Missing()) == 0 }

// Missing returns the rules that are not satisfied.
func (a Approvals) Missing() (rules []RuleState) {
	for _, r := range a.Rules {
		if !r.Approved() {
			rules = append(rules, r)
		}
	}
	return rules
}

// Required returns how many approvals all rules require together.
func (a Approvals) Required() (n int) {
	for _, r := range a.Rules {
		n += r.ApprovalsRequired
	}
	return n
}

// Left returns how many approvals the rules that are not satisfied miss together.
func (a Approvals) Left() (n int) {
	for _, r := range a.Missing() {
		n += r.Left()
	}
	return n
}

// HasApproved reports whether a user has approved.
func (a Approvals) HasApproved(userID int64) bool {
	return slices.ContainsFunc(a.Given, func(given Approval) bool { return given.UserID == userID })
}

// CanApprove reports whether the user for whom the approvals were read may approve now: developers,
// and others whom a rule names, but nobody twice (more §6.3).
func (a Approvals) CanApprove(userID int64) bool {
	if !a.open || userID == 0 || a.barred.always[userID] || a.HasApproved(userID) {
		return false
	}
	return a.levels[userID] >= approverLevel || slices.ContainsFunc(a.Rules, func(r RuleState) bool {
		return isAmong(r.Eligible, userID)
	})
}

// Suggested returns the users who may give an approval that is missing, each once, as EligibleBy
// does.
func (a Approvals) Suggested(visible map[int64]tree.Group) (list []tree.Person) {
	for _, r := range a.Missing() {
		for _, p := range r.EligibleBy(visible) {
			if !a.HasApproved(p.ID) && !isAmong(list, p.ID) {
				list = append(list, p)
			}
		}
	}
	return list
}

// IsApproved reports whether a merge request of a project has all approvals that it needs, and
// returns the rules that are not satisfied.
func IsApproved(
	ctx context.Context, st *db.Store, p tree.Project, r Request,
) (ok bool, missing []RuleState, err error) {
	a, err := ReadApprovals(ctx, st, p, r, 0)
	missing = a.Missing()
	return err == nil && len(missing) == 0, missing, err
}
