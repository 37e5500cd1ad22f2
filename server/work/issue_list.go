package work

import (
	"context"

	"hew/server/db"
)

// chooseIssues is the query of the issues of a list; only what lists are ordered by is read.
const chooseIssues = `
	select t.id, t.created_at, t.updated_at, t.title, t.due_date, t.weight, t.relative_position, t.upvotes, t.milestone_id
	from issues t join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id`

const (
	// the due date of the milestone of an issue t
	milestoneDue = `(select m.due_date from milestones m where m.id = t.milestone_id)`
	// the priority of the most urgent label of an issue t
	labelPriority = `(select min(l.priority) from issue_labels i join labels l on l.id = i.label_id where i.issue_id = t.id)`
)

// issueOrders are the orders of lists of issues (more-2 §10.2). What an issue lacks comes last in
// both directions.
var issueOrders = db.Order{
	"created_at":        `t.created_at`,
	"updated_at":        `t.updated_at`,
	"title":             `t.title`,
	"due_date":          `t.due_date $dir nulls last, t.id desc`,
	"weight":            `t.weight $dir nulls last, t.id desc`,
	"relative_position": `t.relative_position $dir nulls last, t.id desc`,
	"popularity":        `t.upvotes $dir, t.id desc`,
	"milestone_due":     milestoneDue + ` $dir nulls last, t.id desc`,
	"label_priority":    labelPriority + ` $dir nulls last, t.id desc`,
	"priority":          milestoneDue + ` $dir nulls last, ` + labelPriority + ` $dir nulls last, t.id desc`,
}

// ListIssues returns a page of the issues that the filter admits, and their capped count. The
// orders of the page are those of spec 2 §4.1.
func ListIssues(ctx context.Context, s *db.Store, f IssueFilter, p db.Page) ([]Issue, int, error) {
	return db.ListChosen[Issue](ctx, s, p, issueOrders, "t.id", chooseIssues, selectIssues, f.where())
}

// IssueCounts are the numbers of issues by state.
type IssueCounts struct {
	All    int `db:"all" json:"all"`
	Closed int `db:"closed" json:"closed"`
	Opened int `db:"opened" json:"opened"`
}

// CountIssues counts the issues that the filter admits.
func CountIssues(ctx context.Context, s *db.Store, f IssueFilter) (IssueCounts, error) {
	w := f.where()
	return db.One[IssueCounts](ctx, s, "", `
		select count(*)::int as "all", (count(*) filter (where t.state = 'closed'))::int as closed,
		       (count(*) filter (where t.state = 'opened'))::int as opened
		from issues t join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id`+
		w.String(), w.Args)
}
