package api

import (
	"strconv"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/scope"
	"hew/server/work"
	"hew/server/work/due"
)

// CommonCriteria are the filters of lists of issues and merge requests that can be negated (spec 2
// §4.1, §4.2).
type CommonCriteria struct {
	AssigneeID       string   `param:"assignee_id"` // an id, None or Any
	AssigneeUsername []string `param:"assignee_username,comma"`
	AuthorID         *int64   `param:"author_id"`
	AuthorUsername   string   `param:"author_username"`
	IIDs             []int    `param:"iids,comma"`
	Labels           []string `param:"labels,comma"` // names, None or Any
	Milestone        string   `param:"milestone"`    // a title, None, Any, Upcoming or Started
	MilestoneID      string   `param:"milestone_id"` // None, Any, Upcoming or Started
	MyReactionEmoji  string   `param:"my_reaction_emoji"`
	_                struct{} `exclusive:"assignee_id assignee_username"`
	_                struct{} `exclusive:"author_id author_username"`
	_                struct{} `exclusive:"milestone milestone_id"`
}

// Read reads the criteria: those of everything, the assignees and the milestone.
func (in CommonCriteria) Read() (c work.Criteria, assigned work.UserCriteria, m work.MilestoneCriteria, err error) {
	c = work.Criteria{AuthorID: in.AuthorID, Author: in.AuthorUsername, IIDs: in.IIDs}
	c.Emoji, _ = ChoiceOf("my_reaction_emoji", in.MyReactionEmoji, ParseText)
	LabelsInto(&c, in.Labels)
	if assigned, err = UserChoice("assignee_id", in.AssigneeID, in.AssigneeUsername); err != nil {
		return c, assigned, m, err
	}
	m, err = MilestoneChoice(in.Milestone, in.MilestoneID)
	return c, assigned, m, err
}

// UserChoice reads the filter by users of whom something may have several: an id, None or Any,
// where 0 is none, or usernames. Name is that of the parameter of the id.
func UserChoice(name, id string, usernames []string) (c work.UserCriteria, err error) {
	if id == "0" {
		id = "none"
	}
	c.Names = usernames
	c.ID, err = ChoiceOf(name, id, ParseID)
	return c, err
}

// issueCriteria are the filters of lists of issues that can be negated (spec 2 §4.1).
type issueCriteria struct {
	CommonCriteria
	IterationID    string   `param:"iteration_id"` // an id, None, Any or Current
	IterationTitle string   `param:"iteration_title"`
	Weight         string   `param:"weight"` // a number, None or Any
	_              struct{} `exclusive:"iteration_id iteration_title"`
}

// Times narrow lists of issues, epics and merge requests.
type Times struct {
	CreatedAfter  *time.Time `param:"created_after"`
	CreatedBefore *time.Time `param:"created_before"`
	UpdatedAfter  *time.Time `param:"updated_after"`
	UpdatedBefore *time.Time `param:"updated_before"`
}

// issueFilters are the filters of all lists of issues.
type issueFilters struct {
	issueCriteria
	Not          issueCriteria `param:"not"`
	Confidential *bool         `param:"confidential"`
	Times
	DueDate      string   `param:"due_date" oneof:"0 any today tomorrow overdue week month next_month_and_previous_two_weeks"`
	EpicID       string   `param:"epic_id"` // an id, None or Any
	HealthStatus string   `param:"health_status" oneof:"None Any none any on_track needs_attention at_risk"`
	In           []string `param:"in,comma"`
	IssueType    string   `param:"issue_type" oneof:"issue incident test_case task"`
	Search       string   `param:"search"`
	State        string   `param:"state" default:"all" oneof:"all opened closed"`
}

// filter returns the filter of a caller.
func (in issueFilters) filter(s scope.Anyone) (f work.IssueFilter, err error) {
	f = work.IssueFilter{
		Viewer: ViewerOf(s), Confidential: in.Confidential, Type: in.IssueType, Search: in.Search,
		Times: work.Times(in.Times),
	}
	if in.State != "all" {
		f.State = in.State
	}
	for _, field := range in.In {
		if field != "title" && field != "description" {
			return f, fault.Param("in does not have a valid value")
		}
	}
	f.SearchIn = in.In
	in.due(&f, time.Now())
	if f.IssueCriteria, err = in.issueCriteria.criteria(); err != nil {
		return f, err
	}
	if f.EpicID, err = ChoiceOf("epic_id", in.EpicID, ParseID); err != nil {
		return f, err
	}
	f.HealthStatus, _ = ChoiceOf("health_status", in.HealthStatus, ParseText)
	f.Not, err = in.Not.criteria()
	return f, err
}

// due sets the filter by due date.
func (in issueFilters) due(f *work.IssueFilter, now time.Time) {
	switch in.DueDate {
	case "":
	case "0":
		f.NoDueDate = true
	case "any":
		f.AnyDueDate = true
	default:
		from, to, _ := due.Range(in.DueDate, now)
		f.DueFrom, f.DueTo = db.DateOf(from), db.DateOf(to)
	}
}

// criteria reads the criteria that are words or values.
func (in issueCriteria) criteria() (c work.IssueCriteria, err error) {
	c.IterationTitle = in.IterationTitle
	var assigned work.UserCriteria
	if c.Criteria, assigned, c.MilestoneCriteria, err = in.Read(); err != nil {
		return c, err
	}
	c.AssigneeID, c.Assignees = assigned.ID, assigned.Names
	if c.Current = strings.EqualFold(in.IterationID, "current"); !c.Current {
		if c.IterationID, err = ChoiceOf("iteration_id", in.IterationID, ParseID); err != nil {
			return c, err
		}
	}
	c.Weight, err = ChoiceOf("weight", in.Weight, strconv.Atoi)
	return c, err
}

// LabelsInto sets the filter by labels: names, None or Any.
func LabelsInto(c *work.Criteria, names []string) {
	if len(names) == 1 {
		c.NoLabel, c.AnyLabel = strings.EqualFold(names[0], "none"), strings.EqualFold(names[0], "any")
	}
	if !c.NoLabel && !c.AnyLabel {
		c.Labels = names
	}
}

// MilestoneChoice reads the filter by the title of a milestone, None, Any, Upcoming or Started; id
// is one of the words. One of both is empty.
func MilestoneChoice(title, id string) (c work.MilestoneCriteria, err error) {
	word := strings.ToLower(title + id)
	switch word {
	case "upcoming":
		c.Upcoming = true
	case "started":
		c.Started = true
	case "", "none", "any":
		c.Milestone = work.Choice[string]{None: word == "none", Any: word == "any"}
	default:
		if id != "" {
			return c, fault.Param("milestone_id does not have a valid value")
		}
		c.Milestone = work.Choice[string]{Value: &title}
	}
	return c, nil
}

// ChoiceOf reads a value, None or Any; an empty text narrows nothing.
func ChoiceOf[T any](name, text string, parse func(string) (T, error)) (c work.Choice[T], err error) {
	switch {
	case text == "":
	case strings.EqualFold(text, "none"):
		c.None = true
	case strings.EqualFold(text, "any"):
		c.Any = true
	default:
		v, err := parse(text)
		if err != nil {
			return c, fault.Param(name + " is invalid")
		}
		c.Value = &v
	}
	return c, nil
}

// ParseID reads an id.
func ParseID(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }

// ParseText takes a text as it is.
func ParseText(text string) (string, error) { return text, nil }
