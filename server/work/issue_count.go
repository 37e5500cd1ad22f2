package work

import (
	"context"
	"time"

	"hew/server/db"
)

// LabelCounts are the numbers of issues with a label.
type LabelCounts struct {
	LabelID int64 `db:"label_id"`
	Open    int   `db:"open"`
	Closed  int   `db:"closed"`
}

// CountLabelled counts the issues of a project, or of all projects below a group, that have each
// of the labels and that the viewer sees, by label. Labels without such issues are not in it.
func CountLabelled(
	ctx context.Context, s *db.Store, v Viewer, in db.Container, labels []int64,
) (map[int64]LabelCounts, error) {
	f := IssueFilter{Viewer: v}
	if in.NamespaceID != nil {
		f.In = in
	}
	w := f.where()
	w.AndIf(in.ProjectID != nil, `t.project_id = @project`, in.ProjectID)
	w.And(`i.label_id = any(@labels)`, labels)
	list, err := db.Many[LabelCounts](ctx, s, `
		select i.label_id, (count(*) filter (where t.state = 'opened'))::int as open,
		       (count(*) filter (where t.state = 'closed'))::int as closed
		from issue_labels i join issues t on t.id = i.issue_id join projects p on p.id = t.project_id
			join namespaces n on n.id = p.namespace_id`+w.String()+` group by i.label_id`, w.Args)
	byID := make(map[int64]LabelCounts, len(list))
	for _, c := range list {
		byID[c.LabelID] = c
	}
	return byID, err
}

// CountRequests counts, by issue, the merge requests that close it and that the viewer sees. Issues
// without any are not in it.
func (v Viewer) CountRequests(ctx context.Context, s *db.Store, issues []int64) (map[int64]int, error) {
	type count struct {
		ID       int64 `db:"issue_id"`
		Requests int   `db:"requests"`
	}
	args := v.Args()
	args["issues"] = issues
	list, err := db.Many[count](ctx, s, `
		select i.issue_id, count(*)::int as requests from merge_request_issues i
			join merge_requests t on t.id = i.merge_request_id join projects p on p.id = t.project_id
			join namespaces n on n.id = p.namespace_id
		where i.issue_id = any(@issues) and i.closes and `+v.SeesMergeRequests()+` group by i.issue_id`, args)
	byID := make(map[int64]int, len(list))
	for _, c := range list {
		byID[c.ID] = c.Requests
	}
	return byID, err
}

// BurndownEvent is what moves the number of open issues of a milestone (more-2 §10.3).
type BurndownEvent struct {
	ID        int64     `db:"id" json:"-"`
	CreatedAt time.Time `db:"created_at" json:"created_at"`
	Weight    *int      `db:"weight" json:"weight"`
	Action    string    `db:"action" json:"action"` // create, close, reopen
}

// Burndown returns a page of the events of the issues of a milestone that the viewer sees, oldest
// first, and their capped count.
func Burndown(ctx context.Context, s *db.Store, v Viewer, milestone int64, p db.Page) ([]BurndownEvent, int, error) {
	w := IssueFilter{Viewer: v, MilestoneID: &milestone}.where()
	p.Order = "created_at"
	return db.List[BurndownEvent](ctx, s, p, db.Order{"created_at": `t.created_at`}, "t.id", `
		select t.* from (
		    with seen as (
		        select t.id, t.created_at, t.weight from issues t join projects p on p.id = t.project_id
		            join namespaces n on n.id = p.namespace_id`+w.String()+`)
		    select row_number() over (order by created_at, place, id) as id, created_at, weight, action from (
		        select id, created_at, weight, 'create' as action, 0 as place from seen
		        union all
		        select e.id, e.created_at, i.weight, case e.action when 'closed' then 'close' else 'reopen' end, 1
		        from resource_events e join seen i on i.id = e.issue_id where e.field = 'state') e) t`,
		db.NewWhere(w.Args))
}
