package api

import (
	"context"
	"net/http"

	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/view"
)

// approvals serves who approves of a merge request (gaps §7.1, §7.2).
type approvals struct{ *view.Site }

func (a approvals) routes() []rest.Route {
	const one = "/projects/{id}/merge_requests/{merge_request_iid}"
	read, approve := ForRequest(policy.ReadMergeRequest), ForRequest(approveRequest)
	return []rest.Route{
		rest.Get(one+"/approvals", read, a.show),
		rest.Post(one+"/approvals", ForRequest(adminRequest), a.require),
		rest.Get(one+"/approval_state", read, a.state),
		rest.Post(one+"/approve", approve, a.approve),
		rest.Post(one+"/unapprove", approve, a.unapprove),
		rest.Put(one+"/reset_approvals", ForRequest(resetApprovals), a.reset).Status(http.StatusAccepted),
	}
}

func (a approvals) show(ctx context.Context, s InRequest, _ rest.None) (approvalsView, error) {
	return a.view(ctx, s, s.Request)
}

// view returns the view of what is decided about a merge request, for the caller.
func (a approvals) view(ctx context.Context, s InRequest, r merge.Request) (approvalsView, error) {
	decided, err := merge.ReadApprovals(ctx, s.Store, s.Project.Project, r, s.Caller.ID())
	if err != nil {
		return approvalsView{}, err
	}
	groups, err := groupsOf(ctx, s.Anyone, decided)
	return approvalsViewOf(a.Site, groups, r, decided, s.Caller.ID()), err
}

func (a approvals) state(ctx context.Context, s InRequest, _ rest.None) (approvalStateView, error) {
	v := approvalStateView{Rules: []ruleStateView{}}
	decided, err := merge.ReadApprovals(ctx, s.Store, s.Project.Project, s.Request, s.Caller.ID())
	if err != nil {
		return v, err
	}
	groups, err := groupsOf(ctx, s.Anyone, decided)
	v.Overwritten = decided.Overridden
	for _, r := range decided.Rules {
		v.Rules = append(v.Rules, ruleStateViewOf(a.Site, groups, r))
	}
	return v, err
}

type consent struct {
	SHA      string `param:"sha"`
	Password string `param:"approval_password"`
}

func (a approvals) approve(ctx context.Context, s InRequest, in consent) (approvalsView, error) {
	r, err := merge.Approve(ctx, s.Store, s.Project.Project, s.Caller.User, s.Request.ID, merge.Consent(in))
	if err != nil {
		return approvalsView{}, err
	}
	return a.view(ctx, s, r)
}

func (a approvals) unapprove(ctx context.Context, s InRequest, _ rest.None) (approvalsView, error) {
	r, err := merge.Unapprove(ctx, s.Store, s.Project.Project, s.Caller.User, s.Request.ID)
	if err != nil {
		return approvalsView{}, err
	}
	return a.view(ctx, s, r)
}

// reset takes all approvals back, as only bots may: the users of tokens of projects and groups.
func (approvals) reset(ctx context.Context, s InRequest, _ rest.None) (rest.None, error) {
	if !s.Caller.User.Bot {
		return rest.None{}, fault.Unauthorized()
	}
	return rest.None{}, merge.ClearApprovals(ctx, s.Store, s.Project.Project, s.Request.ID)
}

type approvalsRequired struct {
	Required int `param:"approvals_required,required"`
}

// require sets how many approvals the merge request needs of any approver.
func (a approvals) require(ctx context.Context, s InRequest, in approvalsRequired) (approvalsView, error) {
	if err := s.editsRules(); err != nil {
		return approvalsView{}, err
	}
	if err := s.ruleEditor().RequireAny(ctx, s.Store, in.Required); err != nil {
		return approvalsView{}, err
	}
	r, err := s.reload(ctx)
	if err != nil {
		return approvalsView{}, err
	}
	return a.view(ctx, s, r)
}
