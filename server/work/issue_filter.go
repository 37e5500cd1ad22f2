package work

import (
	"strings"

	"hew/server/db"
	"hew/server/note"
	"hew/server/policy"
)

// Choice is a filter by something that an issue may lack: one value, none, or any. The zero value
// narrows nothing.
type Choice[T any] struct {
	Value *T
	None  bool
	Any   bool
}

// IssueCriteria are the filters of issues that can be negated; a zero field narrows nothing.
type IssueCriteria struct {
	Criteria
	MilestoneCriteria
	AssigneeID     Choice[int64]
	Assignees      []string // Usernames, all required
	IterationID    Choice[int64]
	Current        bool // the iteration is the current one
	IterationTitle string
	EpicID         Choice[int64]
	Weight         Choice[int]
	HealthStatus   Choice[string]
}

// IssueFilter narrows a list of issues; a zero field narrows nothing (spec 2 §4.1).
type IssueFilter struct {
	Viewer
	In           db.Container // the project, or the group with all below it; empty for the instance
	Level        policy.Level // the viewer's, in the project
	NonArchived  bool         // leave out issues of archived projects
	State        string       // Opened or Closed
	CreatedBy    *int64       // made by that user
	AssignedTo   *int64       // assigned to that user
	Confidential *bool
	Type         string
	IDs          []int64 // not narrowed if nil
	MilestoneID  *int64
	EpicIssueID  *int64 // the id of the pair of the issue and its epic
	IssueCriteria
	Not IssueCriteria

	Times

	NoDueDate, AnyDueDate bool
	DueFrom, DueTo        *db.Date // both ends included

	Search   string
	SearchIn []string // title, description; both if empty
}

// conditions returns what an issue has to meet or, negated, not to meet, each on its own. The
// viewer is who reacted.
func (c IssueCriteria) conditions(negated bool, viewer int64) *Conditions {
	list := Conditions{Negated: negated}
	and, either := list.And, list.either
	c.Criteria.Into(&list, note.Issue, viewer)
	c.assigned().Into(&list, "issue_assignees", "issue_id", "assignee")
	c.MilestoneCriteria.Into(&list)

	const iterations = `t.iteration_id in (select i.id from iterations i where `
	either(c.IterationID.None, c.IterationID.Any, `t.iteration_id`)
	and(c.IterationID.Value != nil, `t.iteration_id = @iteration_id`, c.IterationID.Value)
	and(c.Current, iterations+`current_date between i.start_date and i.due_date)`)
	and(c.IterationTitle != "", iterations+`i.title = @iteration)`, c.IterationTitle)

	either(c.EpicID.None, c.EpicID.Any, `t.epic_id`)
	and(c.EpicID.Value != nil, `t.epic_id = @epic_id`, c.EpicID.Value)
	either(c.Weight.None, c.Weight.Any, `t.weight`)
	and(c.Weight.Value != nil, `t.weight = @weight`, c.Weight.Value)
	either(c.HealthStatus.None, c.HealthStatus.Any, `t.health_status`)
	and(c.HealthStatus.Value != nil, `t.health_status = @health_status`, c.HealthStatus.Value)
	return &list
}

func (c IssueCriteria) assigned() UserCriteria { return UserCriteria{c.AssigneeID, c.Assignees} }

// lowered returns names in lower case.
func lowered(names []string) []string {
	list := make([]string, len(names))
	for n, name := range names {
		list[n] = strings.ToLower(name)
	}
	return list
}

// selective reports whether issues that meet the criteria can be few of many.
func (c IssueCriteria) selective() bool {
	return c.Criteria.Selective() || c.MilestoneCriteria.Selective() || c.assigned().Selective() ||
		c.IterationID.Value != nil || c.Current || c.IterationTitle != "" ||
		c.EpicID.Value != nil || c.Weight.Value != nil || c.HealthStatus.Value != nil
}

// where returns all conditions of the filter.
func (f IssueFilter) where() *db.Where {
	w := db.NewWhere(f.Args())
	f.whereVisible(w)
	if f.IDs != nil || f.CreatedBy != nil || f.AssignedTo != nil || f.MilestoneID != nil || f.EpicIssueID != nil ||
		f.selective() {
		w.Selective = "issues"
	}
	w.AndIf(f.NonArchived, `not p.archived`)
	w.AndIf(f.State != "", `t.state = @state`, f.State)
	w.AndIf(f.Type != "", `t.type = @type`, f.Type)
	w.AndIf(f.IDs != nil, `t.id = any(@ids)`, f.IDs)
	w.AndIf(f.MilestoneID != nil, `t.milestone_id = @milestone_id`, f.MilestoneID)
	w.AndIf(f.EpicID.Value != nil, f.seesEpic(), f.EpicID.Value)
	w.AndIf(f.EpicIssueID != nil, `t.epic_issue_id = @epic_issue`, f.EpicIssueID)
	w.AndIf(f.CreatedBy != nil, `t.author_id = @created_by`, f.CreatedBy)
	w.AndIf(f.AssignedTo != nil, `t.id in (select a.issue_id from issue_assignees a where a.user_id = @assigned_to)`,
		f.AssignedTo)
	if f.Confidential != nil {
		w.And(`t.confidential = @confidential`, *f.Confidential)
	}
	f.conditions(false, f.UserID).Into(w)
	f.Not.conditions(true, f.UserID).Into(w)
	f.Times.Into(w)
	w.AndIf(f.NoDueDate, `t.due_date is null`)
	w.AndIf(f.AnyDueDate, `t.due_date is not null`)
	w.AndIf(f.DueFrom != nil, `t.due_date >= @due_from`, f.DueFrom)
	w.AndIf(f.DueTo != nil, `t.due_date <= @due_to`, f.DueTo)
	Search(w, "issues", f.Search, f.SearchIn)
	return w
}

// whereVisible adds the condition that the viewer sees the issues.
func (f IssueFilter) whereVisible(w *db.Where) {
	if f.In.ProjectID != nil { // its issues are visible, as the guard has found
		f.In.Within(w, "t")
		if !f.All && f.Level < policy.Planner {
			w.And(f.seesConfidential())
		}
		return
	}
	projects := f.seesIssues()
	if f.In.NamespaceID != nil {
		projects = `n.traversal_ids @> array[@namespace::bigint] and (` + projects + `)`
		w.Args["namespace"] = f.In.NamespaceID
	}
	if f.All && f.In.NamespaceID == nil {
		w.And(projects)
		return
	}
	w.AndScattered(db.Scattered{
		Table: "issues",
		Find: `t.project_id in (
			select p.id from projects p join namespaces n on n.id = p.namespace_id where ` + projects + ` offset 0)`,
		Walk: projects,
	})
	w.And(f.seesConfidential())
}
