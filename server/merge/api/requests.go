package api

import (
	"context"
	"strconv"

	"hew/server/db"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// requests serves the merge requests of projects (spec 2 §4.2, gaps §7.1).
type requests struct{ *view.Site }

func (a requests) routes() []rest.Route {
	const path, one = "/projects/{id}/merge_requests", "/projects/{id}/merge_requests/{merge_request_iid}"
	read := ForRequest(policy.ReadMergeRequest)
	return []rest.Route{
		rest.Post(path, scope.ForProject(createFrom), a.create).WithoutTransaction(),
		rest.Get(one, read, a.show),
		rest.Put(one, ForRequest(editOwnRequest), a.update).WithoutTransaction(),
		rest.Delete(one, ForRequest(deleteRequest), a.delete),
	}
}

// requestFields are the parameters that both create and change merge requests.
type requestFields struct {
	Description        rest.Opt[*string]  `param:"description"`
	AssigneeID         rest.Opt[int64]    `param:"assignee_id"`
	AssigneeIDs        rest.Opt[[]int64]  `param:"assignee_ids,comma"`
	ReviewerIDs        rest.Opt[[]int64]  `param:"reviewer_ids,comma"`
	MilestoneID        rest.Opt[int64]    `param:"milestone_id"`
	Labels             rest.Opt[[]string] `param:"labels,comma"`
	RemoveSource       rest.Opt[bool]     `param:"remove_source_branch"`
	Squash             rest.Opt[bool]     `param:"squash"`
	AllowCollaboration rest.Opt[bool]     `param:"allow_collaboration"`
	AllowMaintainer    rest.Opt[bool]     `param:"allow_maintainer_to_push"` // another name of the same
}

// into sets the fields of a merge request that the caller may set. What needs another role is
// ignored, as the API does for people who offer changes to others' projects.
func (in requestFields) into(s scope.InProject, r *merge.Request) {
	in.Description.Into(&r.Description)
	in.RemoveSource.Into(&r.RemoveSource)
	in.Squash.Into(&r.Squash)
	if !s.Can(adminRequest) {
		return
	}
	switch {
	case in.AssigneeIDs.Given():
		r.AssigneeIDs = workapi.NonZero(in.AssigneeIDs.Or(nil))
	case in.AssigneeID.Given():
		r.AssigneeIDs = workapi.NonZero([]int64{in.AssigneeID.Or(0)})
	}
	if in.ReviewerIDs.Given() {
		r.ReviewerIDs = workapi.NonZero(in.ReviewerIDs.Or(nil))
	}
	if in.MilestoneID.Given() {
		r.MilestoneID = db.NilIfZero(in.MilestoneID.Or(0))
	}
}

type requestNew struct {
	SourceBranch    string          `param:"source_branch,required"`
	TargetBranch    string          `param:"target_branch,required"`
	Title           string          `param:"title,required"`
	TargetProjectID rest.Opt[int64] `param:"target_project_id"`
	ApprovalsBefore int             `param:"approvals_before_merge" min:"0" max:"100"` // of any approver; deprecated
	requestFields
}

func (a requests) create(ctx context.Context, s scope.InProject, in requestNew) (oneView, error) {
	target, err := in.target(ctx, s)
	if err != nil {
		return oneView{}, err
	}
	from := merge.Branch{Project: s.Project.Project, Name: in.SourceBranch}
	into := merge.Branch{Project: target.Project.Project, Name: in.TargetBranch}
	commands := in.commandsOf(a.commander(target, true))
	r, err := merge.Create(ctx, s.Store, from, into, s.Caller.User,
		func(st *db.Store, r *merge.Request) error {
			r.Title = in.Title
			in.into(target, r)
			err := in.allow(r, func() (bool, error) { return pushesTo(ctx, s, r.SourceBranch) })
			if err != nil {
				return err
			}
			if target.Can(adminRequest) {
				if err := applyLabels(ctx, st, target, work.LabelChoice{Set: in.Labels.Or(nil)}, r); err != nil {
					return err
				}
			}
			return commands.Edit(ctx, st, r)
		})
	if err != nil {
		return oneView{}, err
	}
	if r, err = in.require(ctx, InRequest{InProject: target, Request: r}); err != nil {
		return oneView{}, err
	}
	return a.finish(ctx, target, commands, r)
}

// target returns the project that the merge request will be in, if the caller may create one there.
func (in requestNew) target(ctx context.Context, s scope.InProject) (scope.InProject, error) {
	id := in.TargetProjectID.Or(s.Project.ID)
	if id != s.Project.ID {
		return s.InProjectRef(ctx, strconv.FormatInt(id, 10), createIn)
	}
	return s, s.Place().Admit(createIn, "")
}

// applyLabels sets the labels of a merge request, and makes those that do not exist.
func applyLabels(
	ctx context.Context, st *db.Store, s scope.InProject, c work.LabelChoice, r *merge.Request,
) (err error) {
	r.LabelIDs, err = c.Apply(ctx, st, s.Project.Container(), r.LabelIDs, s.Can(adminRequest))
	return err
}

// oneView is a merge request as single answers show it, with what lists leave out.
type oneView struct {
	requestView
	Subscribed bool      `json:"subscribed"`
	MergeError *string   `json:"merge_error"`
	DiffRefs   *diffRefs `json:"diff_refs"`
	oneDetails
}

// diffRefs are the commits that positions of notes refer to.
type diffRefs struct {
	Base  string `json:"base_sha"`
	Head  string `json:"head_sha"`
	Start string `json:"start_sha"`
}

// one returns the view of a merge request of a project, with whether the caller is subscribed.
func (a requests) one(ctx context.Context, s scope.InProject, r merge.Request) (v oneView, err error) {
	views, err := requestViews{Site: a.Site, from: s.Project.FullPath}.of(ctx, s.Anyone, []merge.Request{r})
	if err != nil {
		return v, err
	}
	v.requestView, v.MergeError = views[0], r.MergeError
	if !r.Head.IsZero() {
		v.DiffRefs = &diffRefs{r.Base.String(), r.Head.String(), r.Start.String()}
	}
	if v.oneDetails, err = a.details(ctx, s, r); err != nil {
		return v, err
	}
	v.Subscribed, err = work.IsSubscribed(ctx, s.Store, r.Target(), s.Caller.ID())
	return v, err
}

func (a requests) show(ctx context.Context, s InRequest, in oneOptions) (oneView, error) {
	if err := recheck(ctx, s); err != nil {
		return oneView{}, err
	}
	return a.detailed(ctx, s, in)
}

func (requests) delete(ctx context.Context, s InRequest, _ rest.None) (rest.None, error) {
	return rest.None{}, merge.Delete(ctx, s.Store, s.Project.Project, s.Caller.User, s.Request, rest.Unmodified)
}
