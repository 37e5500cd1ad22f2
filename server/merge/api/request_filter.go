package api

import (
	"slices"
	"strings"
	"time"

	"hew/server/fault"
	"hew/server/merge"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// criteria are the filters of lists of merge requests that can be negated (spec 2 §4.2).
type criteria struct {
	workapi.CommonCriteria
	ReviewerID       string   `param:"reviewer_id"` // an id, None or Any
	ReviewerUsername []string `param:"reviewer_username,comma"`
	_                struct{} `exclusive:"reviewer_id reviewer_username"`
}

func (in criteria) read() (c merge.Criteria, err error) {
	if c.Criteria, c.Assigned, c.MilestoneCriteria, err = in.Read(); err != nil {
		return c, err
	}
	reviewers := in.ReviewerUsername
	if len(reviewers) == 1 && isWord(reviewers[0]) { // None and Any are values of the username, too
		in.ReviewerID, reviewers = reviewers[0], nil
	}
	c.Reviewed, err = workapi.UserChoice("reviewer_id", in.ReviewerID, reviewers)
	return c, err
}

// isWord reports whether a value is a word that stands for none or any.
func isWord(value string) bool {
	return strings.EqualFold(value, "none") || strings.EqualFold(value, "any")
}

// filters are the filters of all lists of merge requests.
type filters struct {
	criteria
	Not               criteria `param:"not"`
	SourceBranch      string   `param:"source_branch"`
	TargetBranch      string   `param:"target_branch"`
	State             string   `param:"state" default:"all" oneof:"all opened closed locked merged"`
	WIP               string   `param:"wip" oneof:"yes no"`
	Draft             *bool    `param:"draft"`
	ApprovedByIDs     []string `param:"approved_by_ids,comma"` // ids, None or Any
	ApprovedByNames   []string `param:"approved_by_usernames,comma"`
	ApproverIDs       []string `param:"approver_ids,comma"` // ids, None or Any
	Approved          string   `param:"approved" oneof:"yes no"`
	MergeUserID       *int64   `param:"merge_user_id"`
	MergeUserUsername string   `param:"merge_user_username"`
	In                []string `param:"in,comma"`
	Search            string   `param:"search"`
	workapi.Times
	Environment    string     `param:"environment"`
	DeployedBefore *time.Time `param:"deployed_before"`
	DeployedAfter  *time.Time `param:"deployed_after"`
	_              struct{}   `exclusive:"wip draft"`
	_              struct{}   `exclusive:"merge_user_id merge_user_username"`
	_              struct{}   `exclusive:"approved_by_ids approved_by_usernames"`
}

// filter returns the filter of a caller.
func (in filters) filter(s scope.Anyone) (f merge.Filter, err error) {
	f = merge.Filter{
		Viewer: workapi.ViewerOf(s), Draft: in.Draft, MergedBy: in.MergeUserID, MergedByName: in.MergeUserUsername,
		Search: in.Search, Times: work.Times(in.Times),
		Deployed: merge.Deployments{Environment: in.Environment, After: in.DeployedAfter, Before: in.DeployedBefore},
	}
	if in.WIP != "" {
		f.Draft = new(in.WIP == "yes")
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
	if f.Criteria, err = in.criteria.read(); err != nil {
		return f, err
	}
	f.SourceBranch, f.TargetBranch = in.SourceBranch, in.TargetBranch
	if err = in.approved(&f); err != nil {
		return f, err
	}
	if in.Approved != "" {
		f.IsApproved = new(in.Approved == "yes")
	}
	f.Not, err = in.Not.read()
	return f, err
}

// maxApprovers is how many users a filter by approvals can name.
const maxApprovers = 5

// approved sets the filter by who approved.
func (in filters) approved(f *merge.Filter) (err error) {
	if len(in.ApprovedByNames) > maxApprovers {
		return fault.Param("approved_by_usernames is too long")
	}
	f.Approved.Names = in.ApprovedByNames
	by, err := approverChoice("approved_by_ids", in.ApprovedByIDs)
	if err != nil {
		return err
	}
	f.Approved.ID.None, f.Approved.ID.Any, f.ApprovedBy = by.None, by.Any, by.IDs
	f.Approvers, err = approverChoice("approver_ids", in.ApproverIDs)
	return err
}

// approverChoice reads ids of users, None or Any.
func approverChoice(name string, list []string) (c merge.ApproverChoice, err error) {
	switch {
	case len(list) > maxApprovers:
		return c, fault.Param(name + " is too long")
	case len(list) == 1 && isWord(list[0]):
		c.Any = strings.EqualFold(list[0], "any")
		c.None = !c.Any
		return c, nil
	}
	for _, text := range list {
		id, err := workapi.ParseID(text)
		if err != nil {
			return c, fault.Param(name + " is invalid")
		}
		c.IDs = append(c.IDs, id)
	}
	c.IDs = slices.Compact(slices.Sorted(slices.Values(c.IDs)))
	return c, nil
}

// listScope narrows a list to merge requests of the caller.
type listScope struct {
	Scope string `param:"scope" oneof:"created_by_me assigned_to_me reviews_for_me all created-by-me assigned-to-me"`
}

// narrow narrows a filter to the merge requests of the caller; unless is what an absent parameter
// means.
func (in listScope) narrow(f *merge.Filter, s scope.Anyone, unless string) error {
	word := strings.ReplaceAll(in.Scope, "-", "_")
	if word == "" {
		word = unless
	}
	if word == "all" {
		return nil
	}
	if !s.Caller.Signed() {
		return fault.Unauthorized()
	}
	id := s.Caller.ID()
	switch word {
	case "assigned_to_me":
		f.AssignedTo = &id
	case "reviews_for_me":
		f.ReviewedBy = &id
	default:
		f.CreatedBy = &id
	}
	return nil
}

// shape says how a list is ordered and shown.
type shape struct {
	rest.Paging
	OrderBy string `param:"order_by" default:"created_at" oneof:"created_at title updated_at merged_at"`
	Sort    string `param:"sort" default:"desc" oneof:"asc desc"`
	View    string `param:"view" oneof:"simple"`
	Details bool   `param:"with_labels_details"`
	Recheck bool   `param:"with_merge_status_recheck"`
}
