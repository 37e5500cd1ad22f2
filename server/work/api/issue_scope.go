package api

import (
	"context"
	"net/http"
	"strconv"

	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/work"
)

// InIssue is the scope of a route of an issue that the caller sees.
type InIssue struct {
	scope.InProject
	Issue work.Issue
}

// ForIssue returns a guard that finds the issue {issue_iid} of the project of the path, and
// admits callers who see it and have the ability on the project.
func ForIssue(need policy.Ability) rest.Guard[InIssue] {
	project := scope.ForProject(policy.ReadIssue)
	return rest.Guard[InIssue]{Need: need.Name, Open: func(ctx context.Context, r *http.Request) (InIssue, error) {
		p, err := project.Open(ctx, r)
		if err != nil {
			return InIssue{}, err
		}
		s := InIssue{InProject: p}
		iid, err := strconv.Atoi(r.PathValue("issue_iid"))
		if err != nil {
			return s, fault.Param("issue_iid is invalid")
		}
		if s.Issue, err = ViewerOf(p.Anyone).Issue(ctx, p.Store, p.Project.ID, p.Who().Level, iid); err != nil {
			return s, err
		}
		return s, p.Place().Admit(need, "")
	}}
}

// ViewerOf returns the caller as a reader of issues, epics and merge requests.
func ViewerOf(s scope.Anyone) work.Viewer {
	return work.Viewer{UserID: s.Caller.ID(), Open: scope.OpenTo(s.Caller), All: s.Caller.Admin()}
}

// Edits returns nil if the caller may change the text and the state of the issue: members from
// reporters on, its author and its assignees (more §5).
func (s InIssue) edits() error {
	if s.Can(adminIssue) || s.Can(editOwnIssue) && s.isInvolved() {
		return nil
	}
	return fault.Forbidden("")
}

// isInvolved reports whether the caller is the author or an assignee of the issue.
func (s InIssue) isInvolved() bool {
	if s.Issue.IsAuthor(s.Caller.ID()) {
		return true
	}
	for _, id := range s.Issue.AssigneeIDs {
		if id == s.Caller.ID() {
			return true
		}
	}
	return false
}
