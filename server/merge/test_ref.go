package merge

import (
	"context"
	"errors"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// TestRef makes the commit that a merge of an open merge request would make, points the hidden ref
// refs/merge-requests/N/merge to it, and returns it. It returns 400 if git cannot merge it.
func TestRef(ctx context.Context, st *db.Store, p tree.Project, r Request) (id object.ID, err error) {
	refusal := fault.BadRequest("Merge request is not mergeable").In(fault.Text)
	if !r.IsOpen() || r.SourceHead.IsZero() || r.TargetHead.IsZero() {
		return id, refusal
	}
	test := code.TestMerge{
		Project: p, Target: r.TargetHead, Source: r.Head,
		Message: fmt.Sprintf("Merge %s into %s", r.Head, r.TargetHead),
	}
	if r.AuthorID != nil {
		if test.By, err = tree.FindUser(ctx, st, *r.AuthorID); err != nil {
			return id, err
		}
	}
	id, err = test.Store(ctx, st, fmt.Sprintf("%s%d/merge", code.MergeRequests, r.IID))
	var unmergeable code.Unmergeable
	if errors.As(err, &unmergeable) {
		err = refusal
	}
	return id, err
}
