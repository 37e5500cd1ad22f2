package merge

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// unapproved returns those of the merge requests, by id, that miss approvals. It costs as many
// queries for each project as for one merge request, and none for projects without rules that
// require any.
func unapproved(ctx context.Context, st *db.Store, list []Request) (map[int64]bool, error) {
	ids := make([]int64, 0, len(list))
	for _, r := range list {
		if r.IsOpen() {
			ids = append(ids, r.ID)
		}
	}
	missing := map[int64]bool{}
	ruled, err := withRules(ctx, st, ids)
	if err != nil || len(ruled) == 0 {
		return missing, err
	}
	byProject := map[int64][]Request{}
	for _, r := range list {
		if ruled[r.ID] {
			byProject[r.ProjectID] = append(byProject[r.ProjectID], r)
		}
	}
	for id, requests := range byProject {
		p, err := tree.FindProject(ctx, st, id)
		if err != nil {
			return nil, err
		}
		if err := unapprovedIn(ctx, st, p, requests, missing); err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// withRules returns those of the merge requests for which rules may hold that require approvals.
func withRules(ctx context.Context, st *db.Store, ids []int64) (map[int64]bool, error) {
	ruled := map[int64]bool{}
	if len(ids) == 0 {
		return ruled, nil
	}
	found, err := db.Values[int64](ctx, st, `
		select t.id from merge_requests t join projects p on p.id = t.project_id
		    join namespaces n on n.id = p.namespace_id
		where t.id = any(@ids) and (
		    exists (select from merge_request_rules r where r.merge_request_id = t.id and r.approvals_required > 0)
		    or exists (select from approval_rules r where r.approvals_required > 0
		        and (r.project_id = t.project_id or r.namespace_id = any(n.traversal_ids))))`,
		pgx.NamedArgs{"ids": ids})
	for _, id := range found {
		ruled[id] = true
	}
	return ruled, err
}

// unapprovedIn sets the merge requests of a project that miss approvals.
func unapprovedIn(
	ctx context.Context, st *db.Store, p tree.Project, list []Request, missing map[int64]bool,
) error {
	project, err := readProjectRules(ctx, st, p)
	if err != nil {
		return err
	}
	ids := make([]int64, len(list))
	for n, r := range list {
		ids[n] = r.ID
	}
	own, err := ownRules(ctx, st, ids)
	if err != nil {
		return err
	}
	given, err := approvalsOf(ctx, st, ids)
	if err != nil {
		return err
	}
	var all []Rule
	begins := make([]int, len(list)+1) // where the rules of each begin among all
	for n, r := range list {
		all = append(all, project.of(r, own[r.ID]).rules(r)...)
		begins[n+1] = len(all)
	}
	var others []int64
	for _, approvals := range given {
		for _, a := range approvals {
			others = append(others, a.UserID)
		}
	}
	users, err := ruleUsersOf(ctx, st, tree.InProject(p), all, others)
	if err != nil {
		return err
	}
	covered, err := coveredOf(ctx, st, all, list...)
	if err != nil {
		return err
	}
	each := make([]requestRules, len(list))
	for n, r := range list {
		each[n] = requestRules{r, all[begins[n]:begins[n+1]]}
	}
	barred, err := barredFrom(ctx, st, p, project.settings, each...)
	if err != nil {
		return err
	}
	for n, r := range each {
		a := Approvals{Given: given[r.ID], covered: covered[r.ID], barred: barred[r.ID]}
		a.count(r.rules, usersBetween(users, begins[n], begins[n+1]), false)
		missing[r.ID] = !a.Approved()
	}
	return nil
}

// usersBetween returns the users of some of the rules, numbered from the first of these, and those
// of no rule.
func usersBetween(users []ruleUser, from, to int) (list []ruleUser) {
	for _, u := range users {
		if u.Rule >= from && u.Rule < to {
			u.Rule -= from
			list = append(list, u)
		} else if u.Rule < 0 {
			list = append(list, u)
		}
	}
	return list
}
