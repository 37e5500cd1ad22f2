package merge

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/git/object"
	"hew/server/protect"
	"hew/server/tree"
)

// ResetApprovals takes back those approvals of a merge request of a project that a push to the
// source branch ends (more §6.3): all, or only those of the owners of files that the push changed,
// as the settings say. A push after which the merge request changes the same, such as a plain
// rebase, ends none. The caller has locked the merge request, and emits what is returned when it is
// stored.
func ResetApprovals(
	ctx context.Context, st *db.Store, p tree.Project, r Request, before, after Version,
) (lost Reset, err error) {
	if !r.IsOpen() || before.Head == after.Head || sameChange(before, after) {
		return lost, nil
	}
	settings, err := protect.ReadApprovalSettings(ctx, st, tree.InProject(p))
	if err != nil || settings.RetainApprovals.Value && !settings.SelectiveRemovals.Value {
		return lost, err
	}
	given, err := givenTo(ctx, st, r)
	if err != nil || len(given) == 0 {
		return lost, err
	}
	users := usersOf(given)
	lost = Reset{Unapproval, ApprovalsReset}
	if settings.RetainApprovals.Value {
		lost.why = OwnersReset
		if users, err = ownersAmong(ctx, st, p, r, before, after, users); err != nil || len(users) == 0 {
			return Reset{}, err
		}
	}
	a, err := ReadApprovals(ctx, st, p, r, 0)
	if err != nil {
		return lost, err
	}
	if a.Approved() {
		lost.action = Unapproved
	}
	return lost, removeApprovals(ctx, st, r, users)
}

// Reset says what a push took from a merge request: approvals, or nothing if it is the zero value.
type Reset struct {
	action Action // Unapproved, Unapproval
	why    Automatic
}

// emit tells listeners of approvals that a push by a user took back.
func (l Reset) emit(ctx context.Context, st *db.Store, p tree.Project, r Request, by tree.User) error {
	if l.action == "" {
		return nil
	}
	return event.Emit(ctx, st, Changed{Project: p, Before: r, Request: r, Action: l.action, By: by, Automatic: l.why})
}

// sameChange reports whether two versions of a merge request change the same. Versions without
// patch ids do if both change nothing.
func sameChange(a, b Version) bool {
	if a.PatchID == nil || b.PatchID == nil {
		return a.State == "empty" && b.State == "empty"
	}
	return bytes.Equal(a.PatchID, b.PatchID)
}

// ownersAmong returns those of the users who own files that two versions of a merge request change
// differently. Files that only the target branch changed are not among these.
func ownersAmong(
	ctx context.Context, st *db.Store, p tree.Project, r Request, before, after Version, users []int64,
) ([]int64, error) {
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return nil, err
	}
	was, err := changesOf(ctx, g, before.Base, before.Head)
	if err != nil {
		return nil, err
	}
	is, err := changesOf(ctx, g, after.Base, after.Head)
	if err != nil {
		return nil, err
	}
	rules, err := ownerRules(ctx, st, g, p, r, differingPaths(was, is))
	if err != nil || len(rules) == 0 {
		return nil, err
	}
	named, err := ruleUsersOf(ctx, st, tree.InProject(p), rules, nil)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(users), func(id int64) bool {
		return !slices.ContainsFunc(named, func(u ruleUser) bool { return u.Person.ID == id })
	}), nil
}

// differingPaths returns the paths that two sets of changes change differently.
func differingPaths(a, b map[string][2]object.Entry) []string {
	paths := map[string]bool{}
	for path, change := range a {
		if b[path] != change {
			paths[path] = true
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			paths[path] = true
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

// freezeApprovals keeps the rules that held for a merge request when it was merged, and whose
// approvals counted: later changes of the project, its members and its settings do not show there.
func freezeApprovals(ctx context.Context, st *db.Store, p tree.Project, before Request) error {
	a, err := ReadApprovals(ctx, st, p, before, 0)
	if err != nil {
		return err
	}
	kept := []int64{}
	for _, s := range a.Rules {
		rule := s.Rule
		rule.RequestID, rule.ApprovedByIDs = before.ID, nil
		for _, u := range s.ApprovedBy {
			rule.ApprovedByIDs = append(rule.ApprovedByIDs, u.ID)
		}
		if rule.OfProject {
			rule.ID, rule.Copied = 0, true
			rule.ID, err = st.Insert(ctx, "merge_request_rules", rule)
		} else {
			err = st.Update(ctx, "merge_request_rules", rule)
		}
		if err != nil {
			return err
		}
		kept = append(kept, rule.ID)
	}
	return st.Exec(ctx, `delete from merge_request_rules where merge_request_id = @request and not id = any(@kept)`,
		pgx.NamedArgs{"request": before.ID, "kept": kept})
}
