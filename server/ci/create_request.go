package ci

import (
	"context"
	"strconv"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/tree"
)

// OrderForRequest returns what a pipeline of an open merge request is asked for with (ci §2.1). It
// runs in the target project; if the source branch is in a fork and the user may not start
// pipelines of the target project, in the fork for that branch. Where the project wants it, it runs
// for the merge of both branches, which the call makes, unless they conflict or the merge request
// is a draft.
func OrderForRequest(ctx context.Context, st *db.Store, r merge.Request, by tree.User) (Order, error) {
	o := Order{By: by, Source: ByMergeRequest, Request: &r, Commit: r.Head}
	target, err := tree.ProjectFor(ctx, st, strconv.FormatInt(r.ProjectID, 10), by.ID)
	if err != nil {
		return o, err
	}
	o.Project = target.Project
	if r.FromFork() {
		if r.SourceProjectID == nil {
			return o, refuse("Reference not found")
		}
		if !target.Settings.CIAllowForkPipelines || !can(by, policy.CreatePipeline, target) {
			o.Ref = code.Heads + r.SourceBranch
			o.Project, err = tree.FindProject(ctx, st, *r.SourceProjectID)
			return o, err
		}
	}
	if !target.Settings.MergePipelinesEnabled || r.Draft {
		return o, nil
	}
	merged, err := merge.TestRef(ctx, st, target.Project, r)
	if fault.CodeOf(err) == fault.CodeInvalid {
		return o, nil
	}
	o.Commit, o.SourceHead, o.TargetHead = merged, r.Head, r.TargetHead
	return o, err
}
