package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/work"
)

// InRequest is the scope of a route of a merge request that the caller sees.
type InRequest struct {
	scope.InProject
	Request merge.Request

	publishing bool // drafts become notes
}

// ForRequest returns a guard that finds the merge request {merge_request_iid} of the project of the
// path, and admits callers who see it and have the ability on the project.
func ForRequest(need policy.Ability) rest.Guard[InRequest] {
	project := scope.ForProject(policy.ReadMergeRequest)
	return rest.Guard[InRequest]{Need: need.Name, Open: func(ctx context.Context, r *http.Request) (InRequest, error) {
		p, err := project.Open(ctx, r)
		if err != nil {
			return InRequest{}, err
		}
		s := InRequest{InProject: p}
		iid, err := strconv.Atoi(r.PathValue("merge_request_iid"))
		if err != nil {
			return s, fault.Param("merge_request_iid is invalid")
		}
		if s.Request, err = merge.Requests(p.Store, p.Project.ID).One(ctx, work.ByIID(iid)); err != nil {
			return s, err
		}
		return s, p.Place().Admit(need, "")
	}}
}

// reload reads the merge request again.
func (s InRequest) reload(ctx context.Context) (merge.Request, error) {
	return merge.Requests(s.Store, s.Project.ID).One(ctx, db.ByID(s.Request.ID))
}

// edits returns nil if the caller may change the text and the state of the merge request:
// developers, its author and its assignees (more §5).
func (s InRequest) edits() error {
	if s.Can(adminRequest) || s.Can(editOwnRequest) && s.isInvolved() {
		return nil
	}
	return fault.Forbidden("")
}

// isInvolved reports whether the caller is the author or an assignee of the merge request.
func (s InRequest) isInvolved() bool {
	return s.Caller.ID() != 0 &&
		(s.Request.IsAuthor(s.Caller.ID()) || slices.Contains(s.Request.AssigneeIDs, s.Caller.ID()))
}
