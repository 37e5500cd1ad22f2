package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
)

// Who sees an issue: those who see the issues of its project, and of a confidential one only its
// author, its assignees and members from planners on (more-2 §10.2, 17.7). The rule is here twice:
// as a condition of lists, and for users who are named. TestVisibility holds both to one oracle.

// Viewer is a caller who reads issues and epics.
type Viewer struct {
	UserID int64         // 0: nobody
	Open   db.Visibility // sees projects that are at least so visible without being a member
	All    bool          // sees everything that is not switched off
}

// Args returns the arguments of the conditions of this file.
func (v Viewer) Args() pgx.NamedArgs { return pgx.NamedArgs{"user": v.UserID, "open": v.Open} }

const issuesAccess = `coalesce(p.settings ->> 'issues_access_level', 'enabled')`

// seesIssues returns the condition that the viewer sees the issues of a project p of a namespace n.
func (v Viewer) seesIssues() string { return v.SeesFeature(issuesAccess, policy.Guest) }

// SeesFeature returns the condition that the viewer sees what an access level of a project p of a
// namespace n is about; members from least on do where it is not open to all.
func (v Viewer) SeesFeature(access string, least policy.Level) string {
	on := access + ` <> '` + string(policy.Disabled) + `'`
	if v.All {
		return on
	}
	public := `p.visibility >= @open and ` + access + ` = '` + string(policy.Enabled) + `'`
	return on + ` and (` + public + ` or ` + tree.Holds(int(least)) + `)`
}

// seesConfidential returns the condition that the viewer, who sees the issues of the project p of
// the namespace n, sees an issue t of it.
func (v Viewer) seesConfidential() string {
	if v.All {
		return `true`
	}
	return `not t.confidential or t.author_id = @user
		or exists (select from issue_assignees a where a.issue_id = t.id and a.user_id = @user)
		or ` + tree.Holds(int(policy.Planner))
}

// SeesIssue returns the condition that the viewer sees an issue t of a project p of a namespace n.
// It refers to Args.
func (v Viewer) SeesIssue() string {
	return `(` + v.seesIssues() + `) and (` + v.seesConfidential() + `)`
}

// Issue returns the issue of a project with a number, if the viewer, who has a level in the project
// and sees its issues, sees this one. Another one is not found.
func (v Viewer) Issue(ctx context.Context, s *db.Store, projectID int64, level policy.Level, iid int) (Issue, error) {
	issues := Issues(s, projectID)
	issues.What = "Issue"
	issues.Filter = v.confidentialTo(level)
	return issues.One(ctx, ByIID(iid))
}

// confidentialTo returns the condition that an issue t is not confidential to the viewer, who has a
// level in its project.
func (v Viewer) confidentialTo(level policy.Level) db.Condition {
	return func(w *db.Where) {
		w.AndIf(!v.All && level < policy.Planner, `not t.confidential or t.author_id = @viewer
			or exists (select from issue_assignees a where a.issue_id = t.id and a.user_id = @viewer)`, v.UserID)
	}
}

// PlannedProjects returns those of the projects in which the viewer sees internal notes.
func (v Viewer) PlannedProjects(ctx context.Context, s *db.Store, projects []int64) (map[int64]bool, error) {
	return v.planned(ctx, s, projects, `
		select p.id from projects p join namespaces n on n.id = p.namespace_id
		where p.id = any(@ids) and `+tree.Holds(int(policy.Planner)))
}

// planned returns those of the ids that a query for @ids finds; all of them for a viewer who sees
// everything.
func (v Viewer) planned(ctx context.Context, s *db.Store, ids []int64, query string) (map[int64]bool, error) {
	if !v.All && len(ids) > 0 {
		args := v.Args()
		args["ids"] = ids
		var err error
		if ids, err = db.Values[int64](ctx, s, query, args); err != nil {
			return nil, err
		}
	}
	may := make(map[int64]bool, len(ids))
	for _, id := range ids {
		may[id] = true
	}
	return may, nil
}

// IssueReaders returns those of the users who see an issue or, with internal, its internal notes,
// in no order.
func IssueReaders(ctx context.Context, s *db.Store, i Issue, users []int64, internal bool) ([]int64, error) {
	if len(users) == 0 {
		return nil, nil
	}
	access, err := db.Value[string](ctx, s, `select `+issuesAccess+` from projects p where p.id = @id`,
		pgx.NamedArgs{"id": i.ProjectID})
	if err != nil || policy.Access(access) == policy.Disabled {
		return nil, err
	}
	standings, err := tree.Standings(ctx, s, i.Target().Container, users)
	if err != nil {
		return nil, err
	}
	involved := map[int64]bool{}
	for _, id := range i.AssigneeIDs {
		involved[id] = true
	}
	if i.AuthorID != nil {
		involved[*i.AuthorID] = true
	}
	var readers []int64
	for id, st := range standings {
		member := st.Admin || st.Level >= int(policy.Guest)
		planner := st.Admin || st.Level >= int(policy.Planner)
		switch {
		case !st.Sees, policy.Access(access) == policy.MembersOnly && !member:
		case internal && !planner:
		case i.Confidential && !planner && !involved[id]:
		default:
			readers = append(readers, id)
		}
	}
	return readers, nil
}
