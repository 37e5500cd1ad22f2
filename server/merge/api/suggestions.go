package api

import (
	"context"
	"strconv"

	codeapi "hew/server/code/api"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// suggestions applies the suggestions of notes (more §2.3).
type suggestions struct{}

func (a suggestions) routes() []rest.Route {
	return []rest.Route{
		rest.Put("/suggestions/{suggestion_id}/apply", scope.ForSigned(), a.apply),
		rest.Put("/suggestions/batch_apply", scope.ForSigned(), a.applyAll),
	}
}

type suggestionApply struct {
	ID      int64  `param:"suggestion_id"`
	Message string `param:"commit_message"`
}

func (a suggestions) apply(ctx context.Context, s scope.Signed, in suggestionApply) (*note.Suggestion, error) {
	const missing = "Suggestion is not applicable as the suggestion was not found."
	list, err := a.run(ctx, s.Anyone, []int64{in.ID}, in.Message, missing)
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

type suggestionBatch struct {
	IDs     []int64 `param:"ids,required"`
	Message string  `param:"commit_message"`
}

func (a suggestions) applyAll(ctx context.Context, s scope.Signed, in suggestionBatch) ([]note.Suggestion, error) {
	const missing = "Suggestions are not applicable as one or more suggestions were not found."
	return a.run(ctx, s.Anyone, in.IDs, in.Message, missing)
}

// run applies suggestions, all of one merge request, and returns them.
func (suggestions) run(
	ctx context.Context, s scope.Anyone, ids []int64, message, missing string,
) ([]note.Suggestion, error) {
	gone := fault.NotFound(missing).In(fault.Text)
	list, err := merge.Suggestions(ctx, s.Store, ids)
	if err != nil {
		return nil, err
	}
	known := map[int64]bool{}
	for _, found := range list {
		known[found.ID] = true
	}
	for _, id := range ids {
		if !known[id] {
			return nil, gone
		}
	}
	if len(list) == 0 {
		return nil, gone
	}
	a, err := applying(ctx, s, list, gone)
	if err != nil {
		return nil, err
	}
	a.Message = message
	if err := merge.ApplySuggestions(ctx, s.Store, a); err != nil {
		return nil, err
	}
	return note.SuggestionsByID(ctx, s.Store, ids)
}

// applying finds what suggestions are about, and checks that the caller may apply them.
func applying(ctx context.Context, s scope.Anyone, list []merge.Suggestion, gone error) (a merge.Apply, err error) {
	requests, err := merge.RequestsByID(ctx, s.Store, requestIDs(list))
	if err != nil {
		return a, err
	}
	a.Request, a.List = requests[list[0].RequestID], list
	for _, r := range requests {
		target, err := s.InProjectRef(ctx, strconv.FormatInt(r.ProjectID, 10), policy.ReadMergeRequest)
		if err != nil {
			return a, goneOr(err, gone)
		}
		if r.ID == a.Request.ID {
			a.ProjectName, a.ProjectPath = target.Project.Name, target.Project.FullPath
			if t := target.Project.Settings.SuggestionCommitMessage; t != nil {
				a.Template = *t
			}
		}
	}
	if len(requests) > 1 {
		return a, fault.BadRequest("Suggestions must all be on the same branch.")
	}
	return a, admitSource(ctx, s, &a)
}

// admitSource finds the source project, and returns 403 unless the caller may push to the source
// branch.
func admitSource(ctx context.Context, s scope.Anyone, a *merge.Apply) error {
	if a.Request.SourceProjectID == nil {
		return fault.BadRequest("Can't apply as the source branch was deleted.")
	}
	source, err := codeapi.InPushed(ctx, s, strconv.FormatInt(*a.Request.SourceProjectID, 10))
	if err != nil {
		return goneOr(err, fault.Forbidden(""))
	}
	a.Source, a.By = source.Project.Project, codeapi.AuthorOf(source)
	may, err := pushesTo(ctx, source, a.Request.SourceBranch)
	if err == nil && !may {
		err = fault.Forbidden("")
	}
	return err
}

// goneOr returns gone in place of a fault that says that something is not for the caller.
func goneOr(err, gone error) error {
	if c := fault.CodeOf(err); c == fault.CodeNotFound || c == fault.CodeForbidden {
		return gone
	}
	return err
}

func requestIDs(list []merge.Suggestion) (ids []int64) {
	for _, s := range list {
		ids = append(ids, s.RequestID)
	}
	return ids
}
