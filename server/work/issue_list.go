package work

import (
	"context"

	"hew/server/db"
)

// chooseIssues is the query of the issues of a list; only what lists are ordered by is read.
const chooseIssues = `
	select t.id, t.created_at, t.updated_at, t.title, t.due_date, t.weight, t.relative_position, t.upvotes, t.milestone_id,
	       t.epic_position
	` + issueTables

const issueTables = `from issues t join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id`

// chooseByUrgency is chooseIssues with the priority of the most urgent label of each issue. Only
// labels of projects have priorities.
func (f IssueFilter) chooseByUrgency() string {
	of := ""
	if f.In.ProjectID != nil {
		of = ` and l.project_id = @project`
	}
	return `
	select t.id, t.created_at, t.milestone_id, urgent.label_priority
	` + issueTables + ` left join (
	    select i.issue_id, min(l.priority) as label_priority
	    from labels l join issue_labels i on i.label_id = l.id where l.priority is not null` + of + ` group by i.issue_id
	) urgent on urgent.issue_id = t.id`
}

// milestoneDue is the due date of the milestone of an issue t.
const milestoneDue = `(select m.due_date from milestones m where m.id = t.milestone_id)`

// issueOrders are the orders of lists of issues (more-2 §10.2). What an issue lacks comes last in
// both directions.
var issueOrders = db.Order{
	"created_at":        `t.created_at`,
	"updated_at":        `t.updated_at`,
	"title":             `t.title`,
	"due_date":          `t.due_date $dir nulls last, t.id desc`,
	"weight":            `t.weight $dir nulls last, t.id desc`,
	"relative_position": `t.relative_position $dir nulls last, t.id desc`,
	"epic_position":     `t.epic_position $dir nulls last, t.id desc`, // of the issues of an epic
	"popularity":        `t.upvotes $dir, t.id desc`,
	"milestone_due":     milestoneDue + ` $dir nulls last, t.id desc`,
	"label_priority":    `label_priority $dir nulls last, t.id desc`,
	"priority":          milestoneDue + ` $dir nulls last, label_priority $dir nulls last, t.id desc`,
}

// ListIssues returns a page of the issues that the filter admits, and their capped count. The
// orders of the page are those of spec 2 §4.1.
func ListIssues(ctx context.Context, s *db.Store, f IssueFilter, p db.Page) ([]Issue, int, error) {
	f, err := f.resolve(ctx, s)
	if err != nil {
		return nil, 0, err
	}
	choose := chooseIssues
	if p.Order == "label_priority" || p.Order == "priority" {
		choose = f.chooseByUrgency()
	}
	return db.ListChosen[Issue](ctx, s, p, issueOrders, "t.id", choose, selectIssues, f.where())
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
		`+issueTables+w.String(), w.Args)
}

// resolve returns the filter with the ids of labels in place of their names, in a project.
func (f IssueFilter) resolve(ctx context.Context, s *db.Store) (_ IssueFilter, err error) {
	f.Criteria, err = f.Criteria.Resolve(ctx, s, f.In)
	return f, err
}
