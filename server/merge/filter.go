package merge

import (
	"context"

	"hew/server/db"
	"hew/server/note"
	"hew/server/work"
)

// Criteria are the filters of merge requests that can be negated; a zero field narrows nothing.
type Criteria struct {
	work.Criteria
	work.MilestoneCriteria
	Assigned, Reviewed, Approved work.UserCriteria
	ApprovedBy                   []int64 // users who approved, all required
	SourceBranch, TargetBranch   string
}

// Filter narrows a list of merge requests; a zero field narrows nothing (spec 2 §4.2).
type Filter struct {
	work.Viewer
	In           db.Container // the target project, or the group with all below it; empty for the instance
	NonArchived  bool         // leave out those of archived projects
	State        string       // Opened, Closed, Locked, Merged
	CreatedBy    *int64       // made by that user
	AssignedTo   *int64       // assigned to that user
	ReviewedBy   *int64       // that user is a reviewer
	MergedBy     *int64
	MergedByName string // a username
	Draft        *bool
	IsApproved   *bool // somebody approved it
	MilestoneID  *int64
	Commit       []byte // that it brings, or that its merge made
	IssueID      *int64 // refers to that issue
	Closes       *bool  // with IssueID: its merge closes the issue, or does not
	None         bool   // nothing meets the filter
	Deployed     Deployments
	Approvers    ApproverChoice // users whom its approval rules name
	Criteria
	Not Criteria

	work.Times

	Search   string
	SearchIn []string // title, description; both if empty
}

// conditions returns what a merge request has to meet or, negated, not to meet, each on its own.
// The viewer is who reacted.
func (c Criteria) conditions(negated bool, viewer int64) *work.Conditions {
	list := &work.Conditions{Negated: negated}
	const column = "merge_request_id"
	c.Criteria.Into(list, note.MergeRequest, viewer)
	c.MilestoneCriteria.Into(list)
	c.Assigned.Into(list, "merge_request_assignees", column, "assignee")
	c.Reviewed.Into(list, "merge_request_reviewers", column, "reviewer")
	c.Approved.Into(list, "merge_request_approvals", column, "approved")
	list.And(c.ApprovedBy != nil, `t.id in (select a.merge_request_id from merge_request_approvals a
		where a.user_id = any(@approved_by) group by 1
		having count(*) = (select count(distinct approver) from unnest(@approved_by::bigint[]) approver))`, c.ApprovedBy)
	list.And(c.SourceBranch != "", `t.source_branch = @source_branch`, c.SourceBranch)
	list.And(c.TargetBranch != "", `t.target_branch = @target_branch`, c.TargetBranch)
	return list
}

// selective reports whether merge requests that meet the criteria can be few of many.
func (c Criteria) selective() bool {
	return c.Criteria.Selective() || c.MilestoneCriteria.Selective() || c.Assigned.Selective() ||
		c.Reviewed.Selective() || c.Approved.Selective() || c.ApprovedBy != nil ||
		c.SourceBranch != "" || c.TargetBranch != ""
}

func (f Filter) onlyDrafts() bool { return f.Draft != nil && *f.Draft }

// rareState reports whether few are in the state that is asked for: in time, most are merged.
func (f Filter) rareState() bool { return f.State != "" && f.State != Merged }

// where returns all conditions of the filter.
func (f Filter) where() *db.Where {
	w := db.NewWhere(f.Args())
	f.whereVisible(w)
	if f.CreatedBy != nil || f.AssignedTo != nil || f.ReviewedBy != nil || f.MergedBy != nil || f.MergedByName != "" ||
		f.MilestoneID != nil || f.Commit != nil || f.IssueID != nil || f.None || f.Deployed.asked() ||
		f.Approvers.asked() || f.onlyDrafts() || f.rareState() || f.selective() {
		w.Selective = "merge_requests"
	}
	w.AndIf(f.None, `false`)
	f.Deployed.into(w)
	f.Approvers.into(w, f.In)
	w.AndIf(f.NonArchived, `not p.archived`)
	w.AndIf(f.State != "", `t.state = @state`, f.State)
	w.AndIf(f.CreatedBy != nil, `t.author_id = @created_by`, f.CreatedBy)
	w.AndIf(f.AssignedTo != nil,
		`t.id in (select a.merge_request_id from merge_request_assignees a where a.user_id = @assigned_to)`,
		f.AssignedTo)
	w.AndIf(f.ReviewedBy != nil,
		`t.id in (select a.merge_request_id from merge_request_reviewers a where a.user_id = @reviewed_by)`,
		f.ReviewedBy)
	w.AndIf(f.MergedBy != nil, `t.merged_by_id = @merged_by`, f.MergedBy)
	w.AndIf(f.MergedByName != "",
		`t.merged_by_id = (select u.id from users u where lower(u.username) = lower(@merged_by_name))`, f.MergedByName)
	w.AndIf(f.onlyDrafts(), `t.draft`) // as the index of drafts has it
	w.AndIf(f.Draft != nil && !*f.Draft, `not t.draft`)
	if f.IsApproved != nil {
		w.And(`exists (select from merge_request_approvals a where a.merge_request_id = t.id) = @is_approved`,
			*f.IsApproved)
	}
	w.AndIf(f.MilestoneID != nil, `t.milestone_id = @milestone_id`, f.MilestoneID)
	w.AndIf(f.Commit != nil,
		`t.id in (select c.merge_request_id from merge_request_commits c where c.commit_oid = @commit)`, f.Commit)
	if f.IssueID != nil {
		closes := ``
		if f.Closes != nil {
			closes = map[bool]string{true: ` and i.closes`, false: ` and not i.closes`}[*f.Closes]
		}
		w.And(`t.id in (select i.merge_request_id from merge_request_issues i where i.issue_id = @issue`+closes+`)`,
			f.IssueID)
	}
	f.conditions(false, f.UserID).Into(w)
	f.Not.conditions(true, f.UserID).Into(w)
	f.Times.Into(w)
	work.Search(w, "merge_requests", f.Search, f.SearchIn)
	return w
}

// whereVisible adds the condition that the viewer sees the merge requests.
func (f Filter) whereVisible(w *db.Where) {
	if f.In.ProjectID != nil { // its merge requests are visible, as the guard has found
		f.In.Within(w, "t")
		return
	}
	projects := f.SeesMergeRequests()
	if f.In.NamespaceID != nil {
		projects = `n.traversal_ids @> array[@namespace::bigint] and ` + projects
		w.Args["namespace"] = f.In.NamespaceID
	}
	if f.All && f.In.NamespaceID == nil {
		w.And(projects)
		return
	}
	w.AndScattered(db.Scattered{
		Table: "merge_requests",
		Find: `t.project_id in (
			select p.id from projects p join namespaces n on n.id = p.namespace_id where ` + projects + ` offset 0)`,
		Walk: projects,
	})
}

// chooseRequests is the query of the merge requests of a list; only what lists are ordered by is
// read.
const chooseRequests = `
	select t.id, t.created_at, t.updated_at, t.title, t.merged_at
	from merge_requests t join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id`

// listOrders are the orders of lists of merge requests.
var listOrders = db.Order{
	"created_at": `t.created_at`,
	"updated_at": `t.updated_at`,
	"title":      `t.title`,
	"merged_at":  `t.merged_at $dir nulls last, t.id desc`,
}

// List returns a page of the merge requests that the filter admits, and their capped count. The
// orders of the page are created_at, updated_at, title and merged_at.
func List(ctx context.Context, s *db.Store, f Filter, p db.Page) (_ []Request, _ int, err error) {
	if f.Criteria.Criteria, err = f.Criteria.Resolve(ctx, s, f.In); err != nil {
		return nil, 0, err
	}
	return db.ListChosen[Request](ctx, s, p, listOrders, "t.id", chooseRequests, selectRequests, f.where())
}

// Count returns the number of merge requests that the filter admits, at most db.MaxCount.
func Count(ctx context.Context, s *db.Store, f Filter) (int, error) {
	w := f.where()
	w.Args["most"] = db.MaxCount
	return db.Value[int](ctx, s, `select count(*)::int from (
		select from merge_requests t join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id`+
		w.String()+` limit @most) counted`, w.Args)
}
