package api

import (
	"context"
	"errors"
	"net/http"

	"hew/server/code"
	codeapi "hew/server/code/api"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/view"
	workapi "hew/server/work/api"
)

// landing serves what brings merge requests to an end: the merge, and what prepares it (gaps §7.1).
type landing struct{ *view.Site }

func (a landing) routes() []rest.Route {
	const one = "/projects/{id}/merge_requests/{merge_request_iid}"
	accept := ForRequest(acceptRequest)
	return []rest.Route{
		rest.Put(one+"/merge", accept, a.accept).WithoutTransaction(),
		rest.Put(one+"/rebase", accept, a.rebase).Status(http.StatusAccepted),
		rest.Get(one+"/merge_ref", ForRequest(policy.ReadCode), a.mergeRef),
		rest.Post(one+"/cancel_merge_when_pipeline_succeeds", accept, a.cancel),
	}
}

type acceptance struct {
	MergeMessage  string         `param:"merge_commit_message"`
	SquashMessage string         `param:"squash_commit_message"`
	RemoveSource  rest.Opt[bool] `param:"should_remove_source_branch"`
	WhenSucceeded bool           `param:"merge_when_pipeline_succeeds"`
	AutoMerge     bool           `param:"auto_merge"` // likewise
	SHA           string         `param:"sha"`
	Squash        rest.Opt[bool] `param:"squash"`
	SkipTrain     bool           `param:"skip_merge_train"` // there are no trains
}

func (a landing) accept(ctx context.Context, s InRequest, in acceptance) (oneView, error) {
	how := merge.Acceptance{
		By: codeapi.AuthorOf(s.InProject), Base: a.Base, Viewer: workapi.ViewerOf(s.Anyone),
		Message: in.MergeMessage, SquashMessage: in.SquashMessage,
	}
	if in.SHA != "" {
		id, err := object.ParseID(in.SHA)
		if err != nil {
			id = object.ID{} // no head
		}
		how.Head = &id
	}
	if squash, ok := in.Squash.Value(); ok {
		how.Squash = &squash
	}
	if remove, ok := in.RemoveSource.Value(); ok {
		how.RemoveSource = &remove
	}
	accept := merge.Accept
	if in.WhenSucceeded || in.AutoMerge {
		accept = merge.AcceptLater
	}
	if _, err := accept(ctx, s.Store, s.Project.Project, s.Request.ID, how); err != nil {
		return oneView{}, refusalOf(err)
	}
	r, err := s.reload(ctx)
	if err != nil {
		return oneView{}, err
	}
	return requests(a).one(ctx, s.InProject, r)
}

type rebaseView struct {
	InProgress bool `json:"rebase_in_progress"`
}

func (landing) rebase(ctx context.Context, s InRequest, in rebaseInput) (rebaseView, error) {
	return rebaseView{true}, merge.AskRebase(ctx, s.Store, s.Request, merge.Rebase{
		By: s.Caller.User, SkipCI: in.SkipCI,
	})
}

type rebaseInput struct {
	SkipCI bool `param:"skip_ci"`
}

type mergeRefView struct {
	CommitID string `json:"commit_id"`
}

func (landing) mergeRef(ctx context.Context, s InRequest, _ rest.None) (mergeRefView, error) {
	id, err := merge.TestRef(ctx, s.Store, s.Project.Project, s.Request)
	if err != nil {
		return mergeRefView{}, err
	}
	return mergeRefView{id.String()}, nil
}

// cancel disarms a merge request, for those who may merge it and for its author.
func (a landing) cancel(ctx context.Context, s InRequest, _ rest.None) (oneView, error) {
	may, err := merge.MayMerge(ctx, s.Store, s.Project.Project, codeapi.AuthorOf(s.InProject), s.Request.TargetBranch)
	switch {
	case err != nil:
		return oneView{}, err
	case !may && !s.Request.IsAuthor(s.Caller.ID()):
		return oneView{}, fault.Unauthorized()
	case !s.Request.IsOpen():
		return oneView{}, fault.NotAllowed("405 Method Not Allowed")
	case !s.Request.IsArmed():
		return oneView{}, fault.NotAcceptable()
	}
	if err := merge.CancelLater(ctx, s.Store, s.Request, s.Caller.ID(), merge.LaterCanceled); err != nil {
		return oneView{}, err
	}
	r, err := s.reload(ctx)
	if err != nil {
		return oneView{}, err
	}
	return requests(a).one(ctx, s.InProject, r)
}

// recheck asks for the mergeability of merge requests, if it is not known.
func recheck(ctx context.Context, s InRequest) error {
	if s.Request.IsUnchecked() {
		return jobs.Enqueue(ctx, s.Store, merge.Recheck{RequestID: s.Request.ID})
	}
	return nil
}

// refusalOf returns the fault of a merge that a rule of the branch or of pushes forbids.
func refusalOf(err error) error {
	if refused, ok := errors.AsType[code.Refused](err); ok && refused.Protected {
		return fault.Unauthorized()
	}
	return err
}
